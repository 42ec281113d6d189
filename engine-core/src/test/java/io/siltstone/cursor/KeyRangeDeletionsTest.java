package io.siltstone.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.siltstone.bytes.BigEndian;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sets of deletions of ranges of keys, beside a list of all of them. */
class KeyRangeDeletionsTest {
  private static final long SEED = Long.getLong("siltstone.seed", 5);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  private static PartitionKey key(byte... bytes) {
    return PartitionKey.of(bytes, Partitioner.BYTE_ORDERED.token(bytes, 0, bytes.length));
  }

  private static KeyRangeDeletions.Fragment range(int from, @Nullable Integer to, long timestamp) {
    return new KeyRangeDeletions.Fragment(
        new byte[] {(byte) from},
        to == null ? null : new byte[] {(byte) (int) to},
        timestamp,
        timestamp / 10);
  }

  private static List<String> texts(@Nullable KeyRangeDeletions set) {
    List<String> texts = new ArrayList<>();
    if (set != null) {
      for (KeyRangeDeletions.Fragment each : set.fragments()) {
        byte[] to = each.to();
        texts.add(each.from()[0] + ".." + (to == null ? "" : to[0]) + " at " + each.timestamp());
      }
    }
    return texts;
  }

  @Test
  void theGreatestTimestampCountsWhereRangesOverlap() {
    KeyRangeDeletions set = KeyRangeDeletions.of(range(2, 6, 10));
    set = KeyRangeDeletions.with(set, range(4, 8, 20));
    assertThat(texts(set)).containsExactly("2..4 at 10", "4..8 at 20");
    set = KeyRangeDeletions.with(set, range(3, 5, 15));
    assertThat(texts(set)).containsExactly("2..3 at 10", "3..4 at 15", "4..8 at 20");
    set = KeyRangeDeletions.with(set, range(1, null, 12));
    assertThat(texts(set)).containsExactly("1..3 at 12", "3..4 at 15", "4..8 at 20", "8.. at 12");
    assertThat(texts(KeyRangeDeletions.with(set, range(0, null, 30)))).containsExactly("0.. at 30");
    assertThat(set.newestTimestamp()).isEqualTo(20);
    assertThat(set.covers(key((byte) 4), key((byte) 7), 20)).isTrue();
    assertThat(set.covers(key((byte) 4), key((byte) 8), 10)).isFalse();
    assertThat(set.covers(key((byte) 4), key((byte) 7), 21)).isFalse();
    assertThatThrownBy(() -> range(4, 4, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSetAnswersAsAListOfAllDeletions() {
    for (long seed = SEED; seed < SEED + 200L * SCALE; seed++) {
      Random random = new Random(seed);
      List<KeyRangeDeletions.Fragment> all = new ArrayList<>();
      KeyRangeDeletions set = null;
      for (int i = 0; i < 12; i++) {
        int from = random.nextInt(256);
        Integer to = random.nextInt(8) == 0 ? null : from + 1 + random.nextInt(40);
        KeyRangeDeletions.Fragment added =
            range(from, to == null || to > 255 ? null : to, 1 + random.nextInt(20));
        all.add(added);
        set =
            random.nextBoolean()
                ? KeyRangeDeletions.with(set, added)
                : KeyRangeDeletions.union(set, KeyRangeDeletions.of(added));
        requireSame(set, all, seed);
      }
      requireSame(KeyRangeDeletions.union(set(all, 0, 3), set(all, 3, 12)), all, seed);
      requireSame(KeyRangeDeletions.union(set(all, 0, 9), set(all, 9, 12)), all, seed);
    }
  }

  /** The work is counted by what it allocates: each fragment that is copied costs a reference. */
  @Test
  void aDeletionMoreCostsLittleHoweverManyThereAre() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int many = 1 << 16;
    KeyRangeDeletions set = null;
    long begun = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < many; i++) {
      // Spread over all keys, so that none is the last.
      set = KeyRangeDeletions.with(set, rangeOfHash(i, 1000 + i));
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - begun;
    assertThat(bytes / many).isLessThan(1000);
    for (int i = 0; i < many; i++) {
      if (set.timestampOf(key(rangeOfHash(i, 1).from())) != 1000 + i) {
        throw new AssertionError("deletion " + i + " is not found");
      }
    }
    assertThat(set.fragments()).hasSize(many);
    assertThat(KeyRangeDeletions.union(set, KeyRangeDeletions.of(range(0, null, 1_000_000))))
        .isEqualTo(KeyRangeDeletions.of(range(0, null, 1_000_000)));
  }

  /** Returns the range of one of 2³² keys. */
  private static KeyRangeDeletions.Fragment rangeOfHash(int number, long timestamp) {
    byte[] from = new byte[Integer.BYTES];
    BigEndian.putInt(from, 0, number * 0x9e37_79b1);
    return new KeyRangeDeletions.Fragment(from, Arrays.copyOf(from, 5), timestamp, 0);
  }

  private static @Nullable KeyRangeDeletions set(
      List<KeyRangeDeletions.Fragment> all, int from, int to) {
    KeyRangeDeletions set = null;
    for (KeyRangeDeletions.Fragment each : all.subList(from, to)) {
      set = KeyRangeDeletions.with(set, each);
    }
    return set;
  }

  private static void requireSame(
      @Nullable KeyRangeDeletions set, List<KeyRangeDeletions.Fragment> all, long seed) {
    assertThat(set).isNotNull();
    assertThat(set.newestTimestamp())
        .isEqualTo(all.stream().mapToLong(KeyRangeDeletions.Fragment::timestamp).max().orElse(0));
    byte[] end = {};
    for (KeyRangeDeletions.Fragment each : set.fragments()) {
      assertThat(Arrays.compareUnsigned(end, each.from())).as("seed %d", seed).isNotPositive();
      end = each.to() == null ? new byte[] {-1, -1} : each.to();
    }
    int walked = KeyRangeDeletions.NONE;
    for (int i = 0; i < 256; i++) {
      PartitionKey key = key((byte) i);
      long expected =
          all.stream()
              .filter(each -> each.contains(key))
              .mapToLong(KeyRangeDeletions.Fragment::timestamp)
              .max()
              .orElse(DeletionTime.NO_TIMESTAMP);
      assertThat(set.timestampOf(key)).as("seed %d, key %d", seed, i).isEqualTo(expected);
      if (i % 3 == 0) {
        walked = set.seek(walked, key);
        int found = set.find(key);
        assertThat(found == KeyRangeDeletions.NONE || found == walked).isTrue();
      }
    }
  }
}
