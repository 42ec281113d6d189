package io.siltstone.partitioner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bytes.Murmur3Hash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PartitionerTest {

  @Test
  void murmur3TokenIsThatOfCassandra() {
    assertThat(murmur3("a")).isEqualTo(-8839064797231613815L);
  }

  @Test
  void emptyKeyHasLeastToken() {
    assertThat(Partitioner.MURMUR3.token(new byte[0], 0, 0)).isEqualTo(Long.MIN_VALUE);
    assertThat(Partitioner.BYTE_ORDERED.token(new byte[0], 0, 0)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void tokenDependsOnRangeOnly() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long[] hash = new long[2];
    for (int i = 0; i <= 2 * 64; i++) {
      int length = i / 2;
      // The bytes behind it, if there are enough, are read and left out.
      byte[] array = new byte[length + 7 + random.nextInt(9)];
      random.nextBytes(array);
      for (int at = 0; at < array.length && i % 2 == 0; at++) {
        array[at] &= 0x7f;
      }
      byte[] key = Arrays.copyOfRange(array, 3, 3 + length);
      for (Partitioner partitioner : Partitioner.values()) {
        long token = partitioner.token(key, 0, length);
        assertThat(partitioner.token(array, 3, length)).as("seed %s", seed).isEqualTo(token);
        assertThat(partitioner.token(array, 3, length, hash)).as("seed %s", seed).isEqualTo(token);
      }
    }
  }

  @Test
  void tokenComesWithTheHashItIsMadeOf() {
    byte[] key = "some key".getBytes(StandardCharsets.UTF_8);
    long[] expected = new long[2];
    Murmur3Hash.hash(key, 0, key.length, expected);
    long[] hash = new long[2];
    assertThat(Partitioner.MURMUR3.tokenWith(key, 0, key.length, hash))
        .isEqualTo(Partitioner.MURMUR3.token(key, 0, key.length));
    assertThat(hash).isEqualTo(expected);
    assertThat(Partitioner.BYTE_ORDERED.tokenWith(key, 0, key.length, hash))
        .isEqualTo(Partitioner.BYTE_ORDERED.token(key, 0, key.length));
    assertThat(hash).containsOnly(0);
  }

  @Test
  void byteOrderedTokensAgreeWithOrderOfBytes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      byte[] left = randomKey(random);
      byte[] right = randomKey(random);
      long leftToken = Partitioner.BYTE_ORDERED.token(left, 0, left.length);
      long rightToken = Partitioner.BYTE_ORDERED.token(right, 0, right.length);
      if (leftToken != rightToken) {
        assertThat(Long.signum(Long.compare(leftToken, rightToken)))
            .as("seed %s", seed)
            .isEqualTo(Integer.signum(Arrays.compareUnsigned(left, right)));
      }
    }
  }

  @Test
  void formatsTokensAsCassandraDoes() {
    byte[] key = {0x0a, (byte) 0xff};
    assertThat(Partitioner.BYTE_ORDERED.formatToken(key, 0, 2)).isEqualTo("0aff");
    assertThat(Partitioner.MURMUR3.formatToken(key, 0, 2))
        .isEqualTo(Long.toString(Partitioner.MURMUR3.token(key, 0, 2)));
  }

  @Test
  void findsByClassName() {
    for (Partitioner partitioner : Partitioner.values()) {
      assertThat(Partitioner.ofClassName(partitioner.className())).isEqualTo(partitioner);
    }
    assertThatThrownBy(() -> Partitioner.ofClassName("org.example.Other"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("org.example.Other")
        .hasMessageContaining("Murmur3Partitioner");
  }

  private static long murmur3(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return Partitioner.MURMUR3.token(bytes, 0, bytes.length);
  }

  private static byte[] randomKey(Random random) {
    // Few different bytes, so that common prefixes occur.
    byte[] key = new byte[random.nextInt(12)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(4) * 85);
    }
    return key;
  }
}
