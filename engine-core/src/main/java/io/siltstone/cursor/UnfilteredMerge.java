package io.siltstone.cursor;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges the rows and markers that several cursors have of one partition.
 *
 * <p>Reusable, confined to one thread, allocates nothing per row.
 */
final class UnfilteredMerge {
  private final ClusteringComparator order;
  private final Reconciler reconciler;
  private final MarkerMerge markers;
  private final MergeListener listener;
  private final @Nullable LaterRows laterRows;
  private final LoserTree tree = new Tree();

  private PartitionCursor[] cursors = {};
  private int count;
  private boolean reversed;
  private CancelSignal cancelSignal = CancelSignal.NEVER;
  private boolean started;
  // With one cursor alone: whether it is after its last row.
  private boolean ended;
  // The present row or marker of each cursor; null at its end.
  private @Nullable Unfiltered[] heads = {};
  // Indexes of the cursors that had the row or marker shown last.
  private int[] shown = {};
  private int shownCount;
  // The cursors of those that have not moved on yet.
  private boolean[] waits = {};
  private Unfiltered[] versions = {};

  /**
   * @param laterRows merges versions by the order of their sources; null to reconcile them
   */
  UnfilteredMerge(TableEncoding table, MergeListener listener, @Nullable LaterRows laterRows) {
    this.listener = listener;
    this.laterRows = laterRows;
    this.order = new ClusteringComparator(table.rows().header().clusteringTypes());
    this.reconciler = new Reconciler(table);
    this.markers = new MarkerMerge(table.rows(), reconciler);
  }

  /** Returns the size of the buffers, see {@link Reconciler#heldBytes()}. */
  int heldBytes() {
    return reconciler.heldBytes();
  }

  /**
   * Makes room for a number of cursors.
   *
   * @param ends signal that cancels steps
   */
  void reserve(int most, CancelSignal ends) {
    cancelSignal = ends;
    if (cursors.length < most) {
      cursors = new PartitionCursor[most];
      heads = new Unfiltered[most];
      shown = new int[most];
      waits = new boolean[most];
      versions = new Unfiltered[most];
    }
    count = 0;
    shownCount = 0;
    started = true;
    // The previous merge may have ended in the middle of a step.
    Arrays.fill(waits, false);
    reconciler.begin(most);
  }

  /** Releases the cursors and their rows. */
  void release() {
    cancelSignal = CancelSignal.NEVER;
    count = 0;
    shownCount = 0;
    Arrays.fill(cursors, null);
    Arrays.fill(heads, null);
    Arrays.fill(versions, null);
    reconciler.release();
  }

  /**
   * Begins a partition.
   *
   * @param sources of the merge
   * @param members indexes of the sources that have the partition
   * @param size number of these
   * @param deletionTimestamp of the partition's deletion
   */
  void begin(
      List<? extends PartitionCursor> sources,
      int[] members,
      int size,
      long deletionTimestamp,
      long deletionLocalTime,
      boolean isReversed) {
    for (int i = 0; i < size; i++) {
      cursors[i] = sources.get(members[i]);
    }
    count = size;
    reversed = isReversed;
    started = false;
    ended = false;
    shownCount = 0;
    markers.begin(size, deletionTimestamp, deletionLocalTime, isReversed);
  }

  private void notifyDeletions(@Nullable Unfiltered merged) {
    long timestamp =
        merged != null && merged.hasDeletion()
            ? merged.deletionTimestamp()
            : DeletionTime.NO_TIMESTAMP;
    boolean isToBeShown = !DeletionTime.isLive(timestamp);
    for (int i = 0; i < shownCount; i++) {
      Unfiltered head = heads[shown[i]];
      if (head != null && head.hasDeletion()) {
        boolean isShown = isToBeShown && head.deletionTimestamp() == timestamp;
        isToBeShown &= !isShown;
        listener.deletion(head.deletionTimestamp(), isShown);
      }
    }
  }

  /** Returns the next row or marker; null after the last. */
  @Nullable Unfiltered next() throws IOException {
    return count == 1 ? nextOfOne() : nextOfSeveral();
  }

  /** Returns the next row or marker if only one source has the partition, as is most common. */
  private @Nullable Unfiltered nextOfOne() throws IOException {
    PartitionCursor cursor = cursors[0];
    while (!ended) {
      cancelSignal.throwIfCancelled();
      if (!cursor.nextUnfiltered()) {
        ended = true;
        return null;
      }
      Unfiltered head = cursor.unfiltered();
      heads[0] = head;
      shown[0] = 0;
      shownCount = 1;
      Unfiltered merged = merge(head);
      if (merged != null) {
        return merged;
      }
    }
    return null;
  }

  private @Nullable Unfiltered nextOfSeveral() throws IOException {
    start();
    while (true) {
      cancelSignal.throwIfCancelled();
      advanceCursors();
      Unfiltered head = count == 0 ? null : heads[tree.winner()];
      if (head == null) {
        return null;
      }
      shownCount = tree.collectEqual(shown);
      Unfiltered merged = merge(head);
      if (merged != null) {
        return merged;
      }
    }
  }

  /** Merges the heads of the cursors in {@code shown}; null if nothing remains. */
  private @Nullable Unfiltered merge(Unfiltered head) throws IOException {
    Unfiltered merged;
    if (head.isMarker()) {
      merged = markers.merge(heads, shown, shownCount);
      listener.marker(shownCount, merged != null);
      return merged;
    }
    if (shownCount == 1 && (laterRows != null || isWhole(head))) {
      merged = head.isEmpty() ? null : head;
    } else {
      merged = mergeRow();
      notifyDeletions(merged);
    }
    listener.row(shownCount, merged != null);
    return merged;
  }

  private void start() throws IOException {
    if (!started) {
      started = true;
      for (int i = 0; i < count; i++) {
        advance(i);
      }
      tree.begin(count);
    }
  }

  /**
   * Moves on the cursors whose row or marker was shown. In adjacent slices the end of one range and
   * the start of the next are at the same place; cursors at the end go first.
   */
  private void advanceCursors() throws IOException {
    for (int i = 0; i < shownCount; i++) {
      waits[shown[i]] = true;
    }
    for (int i = 0; i < shownCount; i++) {
      int source = tree.winner();
      waits[source] = false;
      advance(source);
      tree.replay();
    }
    shownCount = 0;
  }

  private void advance(int source) throws IOException {
    PartitionCursor cursor = cursors[source];
    heads[source] = cursor.nextUnfiltered() ? cursor.unfiltered() : null;
  }

  /**
   * Returns whether the only version of a row has no deletion, is covered by none, and loses no
   * column.
   */
  private boolean isWhole(Unfiltered row) {
    return DeletionTime.isLive(markers.activeTimestamp()) && reconciler.isWhole(row);
  }

  private @Nullable Unfiltered mergeRow() throws IOException {
    if (laterRows != null) {
      // In the order of the sources.
      Arrays.sort(shown, 0, shownCount);
    }
    int size = 0;
    for (int i = 0; i < shownCount; i++) {
      Unfiltered head = heads[shown[i]];
      if (head != null) {
        versions[size++] = head;
      }
    }
    return laterRows != null
        ? laterRows.merge(versions, size)
        : reconciler.reconcile(
            versions, size, markers.activeTimestamp(), markers.activeLocalTime());
  }

  /**
   * The order of the cursors' heads: the static row first, then by clustering; cursors at their end
   * are last.
   */
  private final class Tree extends LoserTree {
    @Override
    int compare(int left, int right) {
      Unfiltered leftHead = heads[left];
      Unfiltered rightHead = heads[right];
      if (leftHead == null || rightHead == null) {
        return Boolean.compare(leftHead == null, rightHead == null);
      }
      if (leftHead.isStatic() || rightHead.isStatic()) {
        return Boolean.compare(rightHead.isStatic(), leftHead.isStatic());
      }
      int compared = order.compare(leftHead.clustering(), rightHead.clustering());
      if (compared == 0) {
        return Boolean.compare(waits[right], waits[left]);
      }
      return reversed ? -compared : compared;
    }
  }
}
