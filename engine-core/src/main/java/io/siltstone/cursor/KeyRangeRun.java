package io.siltstone.cursor;

import io.siltstone.cursor.KeyRangeDeletions.Fragment;
import io.siltstone.partitioner.PartitionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sorted run of deletions of ranges of keys: disjoint fragments in the order of their keys.
 * Immutable, provided that nobody changes the arrays of the bounds; safe for all threads.
 */
final class KeyRangeRun {
  /** About what a fragment takes on the heap in addition to its bounds. */
  private static final int FRAGMENT_BYTES = 96;

  private final List<Fragment> fragments;
  private final long weight;
  private final long heapBytes;

  private KeyRangeRun(List<Fragment> fragments, long weight) {
    this.fragments = fragments;
    this.weight = weight;
    long bytes = 0;
    for (Fragment each : fragments) {
      byte[] to = each.to();
      bytes += FRAGMENT_BYTES + each.from().length + (to == null ? 0 : to.length);
    }
    this.heapBytes = bytes;
  }

  /** Returns the run of one deletion. */
  static KeyRangeRun of(Fragment deletion) {
    return new KeyRangeRun(List.of(deletion), 1);
  }

  /** Returns the run of at least one fragment, which are disjoint and in their order. */
  static KeyRangeRun of(List<Fragment> fragments) {
    return new KeyRangeRun(List.copyOf(fragments), fragments.size());
  }

  /** Returns the fragments, at least one. */
  List<Fragment> fragments() {
    return fragments;
  }

  /**
   * Returns the number of deletions that were merged into the run, which has less than twice as
   * many fragments.
   */
  long weight() {
    return weight;
  }

  /** Returns about how many bytes of the heap the run takes. */
  long heapBytes() {
    return heapBytes;
  }

  /** Returns the index of the fragment that covers a key, or {@link KeyRangeDeletions#NONE}. */
  int find(PartitionKey key) {
    int index = firstToEndAfter(key);
    return index < fragments.size() && fragments.get(index).contains(key)
        ? index
        : KeyRangeDeletions.NONE;
  }

  /** Returns the index of the first fragment that does not end before a key. */
  int firstToEndAfter(PartitionKey key) {
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

  /** Returns the run of the deletions of both, in a time that grows with the fragments of both. */
  KeyRangeRun mergedWith(KeyRangeRun other) {
    List<Fragment> all = new ArrayList<>(fragments.size() + other.fragments.size());
    Walk left = new Walk(fragments);
    Walk right = new Walk(other.fragments);
    while (left.isValid() && right.isValid()) {
      int order = Arrays.compareUnsigned(left.from(), right.from());
      if (order != 0) {
        Walk first = order < 0 ? left : right;
        byte[] until = order < 0 ? right.from() : left.from();
        byte[] end = isLater(first.present().to(), until) ? until : first.present().to();
        append(all, first.from(), end, first.present());
        first.passBy(end);
      } else {
        Fragment winner =
            left.present().supersedes(right.present()) ? left.present() : right.present();
        byte[] end =
            isLater(left.present().to(), right.present().to())
                ? right.present().to()
                : left.present().to();
        append(all, left.from(), end, winner);
        left.passBy(end);
        right.passBy(end);
      }
    }
    for (Walk rest = left.isValid() ? left : right; rest.isValid(); ) {
      append(all, rest.from(), rest.present().to(), rest.present());
      rest.passBy(rest.present().to());
    }
    return new KeyRangeRun(List.copyOf(all), weight + other.weight);
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
      return rest == null ? present().from() : rest;
    }

    /** Moves on to a place in the present fragment, or to its end; null for no end. */
    void passBy(byte @Nullable [] end) {
      boolean isOver = end == null || Arrays.equals(end, present().to());
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
    if (before != null && before.isSameDeletion(deletion) && Arrays.equals(before.to(), from)) {
      all.set(
          last,
          new Fragment(before.from(), to, deletion.timestamp(), deletion.localDeletionTime()));
    } else if (from == deletion.from() && to == deletion.to()) {
      // Most are unchanged.
      all.add(deletion);
    } else {
      all.add(new Fragment(from, to, deletion.timestamp(), deletion.localDeletionTime()));
    }
  }
}
