package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Iterators over prefixes beside a sorted set, of keys that have the bytes at which an end is
 * easily missed. A run can be repeated with {@code -Dsiltstone.seed=N}, and enlarged with {@code
 * -Dsiltstone.scale=N}.
 */
class RandomPrefixesTest {
  private static final int RUNS = 8;
  private static final int KEYS = 600;
  private static final int PREFIXES = 60;
  private static final byte[] BYTES = {0, 1, 127, -128, -2, -1, -1};

  // Beyond the eight bytes that tokens have.
  private static final int MAX_LENGTH = 11;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @Test
  void showThoseKeysThatBeginWithThePrefixBothWays() throws IOException {
    Long one = Long.getLong("siltstone.seed");
    long[] seeds =
        one != null
            ? new long[] {one}
            : LongStream.range(0, (long) RUNS * Integer.getInteger("siltstone.scale", 1)).toArray();
    for (long seed : seeds) {
      try {
        run(new Random(seed), leaks.watch(new MemoryDirectory()));
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("repeat with -Dsiltstone.seed=" + seed + ": " + e, e);
      }
    }
  }

  private static byte[] bytes(Random random, int leastLength) {
    // Most are long, and share their beginnings.
    int length = leastLength + random.nextInt(MAX_LENGTH - leastLength);
    byte[] bytes = new byte[length];
    boolean isOfOneByte = random.nextInt(3) == 0;
    byte first = BYTES[random.nextInt(BYTES.length)];
    for (int i = 0; i < length; i++) {
      bytes[i] = isOfOneByte ? first : BYTES[random.nextInt(BYTES.length)];
    }
    return bytes;
  }

  private static boolean beginsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length && Arrays.equals(Arrays.copyOf(key, prefix.length), prefix);
  }

  private static void run(Random random, Directory disk) throws IOException {
    NavigableSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    try (KeyValueStore store = KeyValueStore.open(disk, options)) {
      for (int i = 0; i < KEYS; i++) {
        byte[] key = bytes(random, 1);
        if (random.nextInt(5) == 0) {
          store.delete(key);
          keys.remove(key);
        } else {
          store.put(key, key);
          keys.add(key);
        }
        if (random.nextInt(KEYS / 3) == 0) {
          store.table().flush();
        }
      }
      try (KeyValueSnapshot snapshot = store.snapshot()) {
        byte[] late = bytes(random, 1);
        boolean isNew = !keys.contains(late);
        store.put(late, late);
        for (int i = 0; i < PREFIXES; i++) {
          byte[] prefix = bytes(random, 0);
          NavigableSet<byte[]> expected = new TreeSet<>(Arrays::compareUnsigned);
          for (byte[] key : keys) {
            if (beginsWith(key, prefix)) {
              expected.add(key);
            }
          }
          try (KeyValueIterator entries = snapshot.iteratorOfPrefix(prefix)) {
            check(entries, expected, prefix);
          }
          if (isNew && beginsWith(late, prefix)) {
            expected.add(late);
          }
          try (KeyValueIterator entries = store.iteratorOfPrefix(prefix)) {
            check(entries, expected, prefix);
            byte[] target = bytes(random, 0);
            entries.seek(target);
            assertThat(entries.isValid() ? entries.key() : null)
                .isEqualTo(expected.ceiling(target));
            entries.seekForPrev(target);
            assertThat(entries.isValid() ? entries.key() : null).isEqualTo(expected.floor(target));
          }
        }
      }
    }
  }

  private static void check(KeyValueIterator entries, NavigableSet<byte[]> expected, byte[] prefix)
      throws IOException {
    List<String> forward = new ArrayList<>();
    for (entries.seekToFirst(); entries.isValid(); entries.next()) {
      forward.add(HexFormat.of().formatHex(entries.key()));
    }
    List<String> backward = new ArrayList<>();
    for (entries.seekToLast(); entries.isValid(); entries.prev()) {
      backward.add(HexFormat.of().formatHex(entries.key()));
    }
    String of = HexFormat.of().formatHex(prefix);
    assertThat(forward)
        .as("forward over %s", of)
        .isEqualTo(expected.stream().map(HexFormat.of()::formatHex).toList());
    assertThat(backward)
        .as("backward over %s", of)
        .isEqualTo(expected.descendingSet().stream().map(HexFormat.of()::formatHex).toList());
  }
}
