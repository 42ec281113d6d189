package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import java.util.ArrayList;
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
 * There is no empty set: null stands for no deletions, so that a table without any pays for a
 * comparison with null. A lookup is a binary search and allocates nothing. Immutable, provided that
 * nobody changes the arrays of the bounds; safe for all threads.
 */
public final class KeyRangeDeletions {
  /** Returned by {@link #find} if no deletion covers the key. */
  public static final int NONE = -1;

  /** About what a fragment takes on the heap in addition to its bounds. */
  private static final int FRAGMENT_BYTES = 96;

  private final List<Fragment> fragments;
  private final long newest;

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

    private boolean endsBefore(PartitionKey key) {
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

    private boolean supersedes(Fragment other) {
      return timestamp != other.timestamp
          ? timestamp > other.timestamp
          : localDeletionTime >= other.localDeletionTime;
    }

    private boolean isSameDeletion(Fragment other) {
      return timestamp == other.timestamp && localDeletionTime == other.localDeletionTime;
    }

    private boolean isSame(Fragment other) {
      return isSameDeletion(other)
          && Arrays.equals(from, other.from)
          && Arrays.equals(to, other.to);
    }
  }

  private KeyRangeDeletions(List<Fragment> fragments) {
    this.fragments = List.copyOf(fragments);
    this.newest = fragments.stream().mapToLong(Fragment::timestamp).max().orElseThrow();
  }

  private static int compare(byte[] bound, PartitionKey key) {
    return Arrays.compareUnsigned(
        bound, 0, bound.length, key.bytes(), key.offset(), key.offset() + key.length());
  }

  /** Returns the set of one deletion. */
  public static KeyRangeDeletions of(Fragment deletion) {
    return new KeyRangeDeletions(List.of(deletion));
  }

  /** Returns a set with one more deletion. */
  public static KeyRangeDeletions with(@Nullable KeyRangeDeletions set, Fragment deletion) {
    return set == null ? of(deletion) : set.with(of(deletion));
  }

  /** Returns the union of two sets; null if both are. */
  public static @Nullable KeyRangeDeletions union(
      @Nullable KeyRangeDeletions left, @Nullable KeyRangeDeletions right) {
    return left == null ? right : right == null ? left : left.with(right);
  }

  private KeyRangeDeletions with(KeyRangeDeletions other) {
    List<Fragment> all = new ArrayList<>(fragments.size() + other.fragments.size());
    Walk left = new Walk(fragments);
    Walk right = new Walk(other.fragments);
    while (left.isValid() && right.isValid()) {
      int order = Arrays.compareUnsigned(left.from(), right.from());
      if (order != 0) {
        Walk first = order < 0 ? left : right;
        byte[] until = order < 0 ? right.from() : left.from();
        byte[] end = isLater(first.present().to, until) ? until : first.present().to;
        append(all, first.from(), end, first.present());
        first.passBy(end);
      } else {
        Fragment winner =
            left.present().supersedes(right.present()) ? left.present() : right.present();
        byte[] end =
            isLater(left.present().to, right.present().to) ? right.present().to : left.present().to;
        append(all, left.from(), end, winner);
        left.passBy(end);
        right.passBy(end);
      }
    }
    for (Walk rest = left.isValid() ? left : right; rest.isValid(); ) {
      append(all, rest.from(), rest.present().to, rest.present());
      rest.passBy(rest.present().to);
    }
    return new KeyRangeDeletions(all);
  }

  /** A walk through fragments, which may stand in the middle of one. */
  private static final class Walk {
    private final List<Fragment> all;
    private int index;
    // Where the rest of the present fragment begins; its own beginning if null.
    private byte @Nullable [] from;

    Walk(List<Fragment> all) {
      this.all = all;
    }

    boolean isValid() {
      return index < all.size();
    }

    Fragment present() {
      return all.get(index);
    }

    byte[] from() {
      byte[] rest = from;
      return rest == null ? present().from : rest;
    }

    /** Moves on to a place in the present fragment, or to its end; null for no end. */
    void passBy(byte @Nullable [] end) {
      boolean isOver = end == null || Arrays.equals(end, present().to);
      index += isOver ? 1 : 0;
      from = isOver ? null : end;
    }
  }

  /** Returns whether an end comes after another one. */
  private static boolean isLater(byte @Nullable [] end, byte @Nullable [] other) {
    return other != null && (end == null || Arrays.compareUnsigned(end, other) > 0);
  }

  /** Appends a range, unless it is empty; joins it with the one before if that ends there. */
  private static void append(
      List<Fragment> all, byte[] from, byte @Nullable [] to, Fragment deletion) {
    if (to != null && Arrays.compareUnsigned(from, to) >= 0) {
      return;
    }
    int last = all.size() - 1;
    Fragment before = last < 0 ? null : all.get(last);
    if (before != null && before.isSameDeletion(deletion) && Arrays.equals(before.to, from)) {
      all.set(last, new Fragment(before.from, to, deletion.timestamp, deletion.localDeletionTime));
    } else if (from == deletion.from && to == deletion.to) {
      // Most are unchanged.
      all.add(deletion);
    } else {
      all.add(new Fragment(from, to, deletion.timestamp, deletion.localDeletionTime));
    }
  }

  /** Returns the fragments that are kept; null if none is. */
  public @Nullable KeyRangeDeletions filter(Predicate<Fragment> isKept) {
    List<Fragment> left = fragments.stream().filter(isKept).toList();
    return left.isEmpty()
        ? null
        : left.size() == fragments.size() ? this : new KeyRangeDeletions(left);
  }

  /** Returns the fragments in the order of their keys. */
  public List<Fragment> fragments() {
    return fragments;
  }

  /** Returns the greatest timestamp. */
  public long newestTimestamp() {
    return newest;
  }

  /** Returns about how many bytes of the heap the set takes. */
  public long heapBytes() {
    long bytes = 0;
    for (Fragment each : fragments) {
      byte[] to = each.to;
      bytes += FRAGMENT_BYTES + each.from.length + (to == null ? 0 : to.length);
    }
    return bytes;
  }

  /** Returns the index of the fragment that covers a key, or {@link #NONE}. */
  public int find(PartitionKey key) {
    int index = firstToEndAfter(key);
    return index < fragments.size() && fragments.get(index).contains(key) ? index : NONE;
  }

  /** Returns the timestamp up to which a key is deleted; no timestamp if it is not. */
  public long timestampOf(PartitionKey key) {
    int index = find(key);
    return index == NONE ? DeletionTime.NO_TIMESTAMP : fragments.get(index).timestamp;
  }

  /** Returns the index of the first fragment that does not end before a key. */
  private int firstToEndAfter(PartitionKey key) {
    int low = 0;
    int high = fragments.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (fragments.get(middle).endsBefore(key)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Returns the index of the first fragment that does not end before a key, beginning at that of an
   * earlier key, for walks over keys in their order.
   *
   * @param from what was returned for an earlier key; {@link #NONE} for the first one
   */
  int seek(int from, PartitionKey key) {
    if (from == NONE) {
      return firstToEndAfter(key);
    }
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
        && fragments.get(index).timestamp >= maxTimestamp
        && !fragments.get(index).endsBefore(last);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof KeyRangeDeletions set) || set.fragments.size() != fragments.size()) {
      return false;
    }
    for (int i = 0; i < fragments.size(); i++) {
      if (!fragments.get(i).isSame(set.fragments.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(newest) * 31 + fragments.size();
  }

  @Override
  public String toString() {
    return fragments.size() + " deleted ranges of keys, the last at " + newest;
  }
}
