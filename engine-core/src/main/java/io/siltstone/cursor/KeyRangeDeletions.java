package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A set of deletions of ranges of partition keys, of a table whose partitioner keeps keys in the
 * order of their unsigned bytes: each deletes all data of the partitions in its range up to its
 * timestamp, as a deletion of each of these partitions would. They are kept as disjoint fragments
 * in the order of the keys; where ranges overlap, the greatest timestamp counts:
 *
 * <pre>
 *   [b, f) at 10, [d, h) at 20      b..d at 10, d..h at 20
 *   and [c, e) at 15                b..c at 10, c..d at 15, d..h at 20
 * </pre>
 *
 * A deletion that is added becomes a run of its own; runs are merged when one weighs less than
 * twice as much as those after it, so that an addition copies a fragment for each doubling of the
 * set, on average, and a key is looked up in few runs. All runs are merged for whoever walks
 * through the fragments, once for each set.
 *
 * <p>There is no empty set: null stands for no deletions, so that a table without any pays for a
 * comparison with null. A lookup is a binary search in each run and allocates nothing. Immutable,
 * provided that nobody changes the arrays of the bounds; safe for all threads.
 */
public final class KeyRangeDeletions {
  /** Returned by {@link #find} if no deletion covers the key. */
  public static final int NONE = -1;

  // The heaviest first, each at least twice as heavy as the next.
  private final KeyRangeRun[] runs;
  private final long newest;
  // All runs in one, made when it is needed. Threads may make it several times, all alike.
  private volatile @Nullable KeyRangeRun whole;

  /**
   * A range of keys with its deletion.
   *
   * @param from the first key, inclusive
   * @param to the last key, exclusive; null for no end
   * @param timestamp in microseconds since 1970, of the data that is deleted at most
   * @param localDeletionTime in seconds since 1970, from which gc_grace_seconds count
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by the class around it only
  public record Fragment(
      byte[] from, byte @Nullable [] to, long timestamp, long localDeletionTime) {

    /** Checks that the range is not empty. */
    public Fragment {
      if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
        throw new IllegalArgumentException("a deletion of a range of keys without any key");
      }
    }

    boolean endsBefore(PartitionKey key) {
      byte[] end = to;
      return end != null && compare(end, key) <= 0;
    }

    /** Returns whether the range has a key. */
    public boolean contains(PartitionKey key) {
      return compare(from, key) <= 0 && !endsBefore(key);
    }

    /** Returns whether the range has a key from the first to the last one, both inclusive. */
    public boolean overlaps(PartitionKey first, PartitionKey last) {
      return compare(from, last) <= 0 && !endsBefore(first);
    }

    boolean supersedes(Fragment other) {
      return timestamp != other.timestamp
          ? timestamp > other.timestamp
          : localDeletionTime >= other.localDeletionTime;
    }

    boolean isSameDeletion(Fragment other) {
      return timestamp == other.timestamp && localDeletionTime == other.localDeletionTime;
    }

    private boolean isSame(Fragment other) {
      return isSameDeletion(other)
          && Arrays.equals(from, other.from)
          && Arrays.equals(to, other.to);
    }
  }

  private KeyRangeDeletions(KeyRangeRun[] runs, long newest) {
    this.runs = runs;
    this.newest = newest;
    this.whole = runs.length == 1 ? runs[0] : null;
  }

  private static int compare(byte[] bound, PartitionKey key) {
    return Arrays.compareUnsigned(
        bound, 0, bound.length, key.bytes(), key.offset(), key.offset() + key.length());
  }

  /** Returns the set of one deletion. */
  public static KeyRangeDeletions of(Fragment deletion) {
    return new KeyRangeDeletions(
        new KeyRangeRun[] {KeyRangeRun.of(deletion)}, deletion.timestamp());
  }

  /** Returns a set with one more deletion. */
  public static KeyRangeDeletions with(@Nullable KeyRangeDeletions set, Fragment deletion) {
    return set == null ? of(deletion) : set.with(KeyRangeRun.of(deletion), deletion.timestamp());
  }

  /** Returns the union of two sets; null if both are. */
  public static @Nullable KeyRangeDeletions union(
      @Nullable KeyRangeDeletions left, @Nullable KeyRangeDeletions right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    boolean isLeftHeavier = left.runs[0].weight() >= right.runs[0].weight();
    KeyRangeDeletions all = isLeftHeavier ? left : right;
    KeyRangeDeletions light = isLeftHeavier ? right : left;
    // Light runs are added to heavy ones, so that these need not be merged.
    for (KeyRangeRun run : light.runs) {
      all = all.with(run, light.newest);
    }
    return all;
  }

  private KeyRangeDeletions with(KeyRangeRun run, long newestOfRun) {
    KeyRangeRun added = run;
    int kept = runs.length;
    while (kept > 0 && runs[kept - 1].weight() < 2 * added.weight()) {
      added = runs[--kept].mergedWith(added);
    }
    KeyRangeRun[] all = Arrays.copyOf(runs, kept + 1);
    all[kept] = added;
    return new KeyRangeDeletions(all, Math.max(newest, newestOfRun));
  }

  private KeyRangeRun whole() {
    KeyRangeRun merged = whole;
    if (merged == null) {
      // The lightest first, so that few fragments are copied often.
      merged = runs[runs.length - 1];
      for (int i = runs.length - 2; i >= 0; i--) {
        merged = runs[i].mergedWith(merged);
      }
      whole = merged;
    }
    return merged;
  }

  /** Returns the fragments that are kept; null if none is. */
  public @Nullable KeyRangeDeletions filter(Predicate<Fragment> isKept) {
    List<Fragment> all = fragments();
    List<Fragment> left = all.stream().filter(isKept).toList();
    if (left.isEmpty() || left.size() == all.size()) {
      return left.isEmpty() ? null : this;
    }
    return new KeyRangeDeletions(
        new KeyRangeRun[] {KeyRangeRun.of(left)},
        left.stream().mapToLong(Fragment::timestamp).max().orElseThrow());
  }

  /** Returns the fragments in the order of their keys. */
  public List<Fragment> fragments() {
    return whole().fragments();
  }

  /** Returns the greatest timestamp. */
  public long newestTimestamp() {
    return newest;
  }

  /** Returns about how many bytes of the heap the set takes. */
  public long heapBytes() {
    long bytes = 0;
    for (KeyRangeRun run : runs) {
      bytes += run.heapBytes();
    }
    KeyRangeRun merged = whole;
    return runs.length == 1 || merged == null ? bytes : bytes + merged.heapBytes();
  }

  /**
   * Returns the index in {@link #fragments} of the fragment that covers a key, or {@link #NONE}.
   */
  public int find(PartitionKey key) {
    return whole().find(key);
  }

  /** Returns the timestamp up to which a key is deleted; no timestamp if it is not. */
  public long timestampOf(PartitionKey key) {
    long timestamp = DeletionTime.NO_TIMESTAMP;
    for (KeyRangeRun run : runs) {
      int index = run.find(key);
      if (index != NONE) {
        timestamp = Math.max(timestamp, run.fragments().get(index).timestamp);
      }
    }
    return timestamp;
  }

  /**
   * Returns the index of the first fragment that does not end before a key, beginning at that of an
   * earlier key, for walks over keys in their order.
   *
   * @param from what was returned for an earlier key; {@link #NONE} for the first one
   */
  int seek(int from, PartitionKey key) {
    if (from == NONE) {
      return whole().firstToEndAfter(key);
    }
    List<Fragment> fragments = fragments();
    int index = from;
    while (index < fragments.size() && fragments.get(index).endsBefore(key)) {
      index++;
    }
    return index;
  }

  /**
   * Returns whether one fragment deletes all data of partitions from the first to the last one,
   * both inclusive, whose timestamps are not greater than the given one.
   */
  public boolean covers(PartitionKey first, PartitionKey last, long maxTimestamp) {
    int index = find(first);
    return index != NONE
        && fragments().get(index).timestamp >= maxTimestamp
        && !fragments().get(index).endsBefore(last);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof KeyRangeDeletions set) || set.fragments().size() != fragments().size()) {
      return false;
    }
    for (int i = 0; i < fragments().size(); i++) {
      if (!fragments().get(i).isSame(set.fragments().get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(newest) * 31 + fragments().size();
  }

  @Override
  public String toString() {
    return fragments().size() + " deleted ranges of keys, the last at " + newest;
  }
}
