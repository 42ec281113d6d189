package io.siltstone.partitioner;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bytes.Murmur3Hash;
import org.junit.jupiter.api.Test;

class PartitionKeyTest {
  private static final byte[] ONE = {1, 2, 3};
  private static final byte[] OTHER = {0, 4, 5, 6, 0};

  private static long hash(byte[] bytes, int offset, int length) {
    long[] hash = new long[2];
    Murmur3Hash.hash(bytes, offset, length, hash);
    return hash[1];
  }

  @Test
  void hashIsOfWhatItIsPointedAt() {
    PartitionKey key = PartitionKey.of(ONE, 7);
    assertThat(key.longHash()).isEqualTo(hash(ONE, 0, 3));
    key.wrap(OTHER, 1, 3, 7);
    assertThat(key.longHash()).isEqualTo(hash(OTHER, 1, 3));
    key.copyFrom(ONE, 0, 3, 7);
    assertThat(key.longHash()).isEqualTo(hash(ONE, 0, 3));
    key.copyFrom(PartitionKey.of(OTHER, 7));
    assertThat(key.longHash()).isEqualTo(hash(OTHER, 0, 5));
  }
}
