package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.threads.Closeables;
import io.siltstone.threads.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows several cursors over one table as one: partitions in order, within each the static row,
 * then rows and markers, each merged from those of all sources.
 *
 * <pre>
 *   try (MergeCursor merge = new MergeCursor(table)) {
 *     merge.begin(sources, false);
 *     while (merge.nextPartition()) { ... }
 *   }
 * </pre>
 *
 * <p>What is shown is what the sources say together, and no more: rows as {@link Reconciler} makes
 * them, with nothing in them that a deletion of the partition or of a range covers; markers only
 * where the greatest deletion changes; no partition of which nothing is left. Expired cells and
 * tombstones are shown, see {@link Liveness}.
 *
 * <p>A row or marker that one source alone has, or a row of one that wrote over those of all
 * others, is shown as it lies there, in its own encoding: that of {@link #unfiltered()} may be
 * another than {@link #encoding()}, but has only columns that this one has. Costs one comparison of
 * clusterings per row with two sources, log₂ k with k, none with one. Nothing is allocated per
 * partition or row. May begin again with other sources after {@link #close()}, and keeps its
 * buffers and what it knows of encodings. Confined to one thread. Source: Cassandra {@code
 * UnfilteredPartitionIterators.merge}, {@code UnfilteredRowIterators.merge}.
 */
public final class MergeCursor implements PartitionCursor {
  private final TableEncoding table;
  private final UnfilteredMerge rows;
  private final MergeListener listener;
  private final LoserTree tree = new Tree();

  private final List<PartitionCursor> sources = new ArrayList<>();
  private boolean isOpen;
  private boolean reversed;
  private CancelSignal cancelSignal = CancelSignal.NEVER;
  private boolean started;
  // Whether each source stands at a partition, rather than at its end.
  private boolean[] hasPartition = {};
  // Of the partitions that the sources stand at; the greatest there is for those at their end.
  private long[] tokens = {};
  // Sources that have the present partition.
  private int[] members = {};
  private int memberCount;
  private long deletionTimestamp = DeletionTime.NO_TIMESTAMP;
  private long deletionLocalTime = DeletionTime.NO_DELETION_TIME;
  // The first unfiltered was looked at to know that there is one.
  private boolean firstIsPending;
  private @Nullable Unfiltered unfiltered;

  /** Of a table; {@link #begin} gives the sources. */
  public MergeCursor(TableEncoding table) {
    this(table, MergeListener.NONE);
  }

  /** As the other one, with somebody who is told what is merged. */
  public MergeCursor(TableEncoding table, MergeListener listener) {
    this.table = table;
    this.rows = new UnfilteredMerge(table, listener);
    this.listener = listener;
  }

  /** As the other one, for cursors that no other thread closes. */
  public void begin(List<? extends PartitionCursor> cursors, boolean isReversed) {
    begin(cursors, isReversed, CancelSignal.NEVER);
  }

  /**
   * Takes over cursors that stand before their first partition. They are closed by {@link
   * #close()}, also if this throws.
   *
   * @param cursors over the same table; none is allowed
   * @param isReversed whether rows come from the last to the first in all of them
   * @param ends steps once it has begun, those that are being made too
   * @throws IllegalStateException if the present sources have not been closed
   */
  public void begin(
      List<? extends PartitionCursor> cursors, boolean isReversed, CancelSignal ends) {
    if (isOpen) {
      throw new IllegalStateException("the merge has begun, and has not been closed since");
    }
    isOpen = true;
    int count = cursors.size();
    for (int i = 0; i < count; i++) {
      sources.add(cursors.get(i));
    }
    reversed = isReversed;
    cancelSignal = ends;
    started = false;
    memberCount = 0;
    firstIsPending = false;
    unfiltered = null;
    if (members.length < count) {
      members = new int[count];
      hasPartition = new boolean[count];
      tokens = new long[count];
    }
    rows.reserve(count, ends);
  }

  /** Bytes of the arrays that have grown to the largest row made of several. */
  public int heldBytes() {
    return rows.heldBytes();
  }

  /** That of rows made of several, with all columns that any row shown has. */
  @Override
  public RowEncoding encoding() {
    return table.rows();
  }

  @Override
  public boolean nextPartition() throws IOException {
    if (!isOpen) {
      throw closed();
    }
    unfiltered = null;
    while (true) {
      cancelSignal.throwIfCancelled();
      advance();
      if (sources.isEmpty() || !hasPartition[tree.winner()]) {
        return false;
      }
      memberCount = tree.collectEqual(members);
      listener.partition(key(), memberCount);
      mergeDeletions();
      tellDeletions();
      rows.begin(sources, members, memberCount, deletionTimestamp, deletionLocalTime, reversed);
      if (hasContent()) {
        return true;
      }
      listener.emptyPartition(key());
    }
  }

  /** Moves all sources behind the present partition. */
  private void advance() throws IOException {
    if (!started) {
      started = true;
      for (int i = 0; i < sources.size(); i++) {
        advance(i);
      }
      tree.begin(sources.size());
    }
    for (int i = 0; i < memberCount; i++) {
      advance(tree.winner());
      tree.replay();
    }
    memberCount = 0;
  }

  private void advance(int source) throws IOException {
    PartitionCursor cursor = sources.get(source);
    hasPartition[source] = cursor.nextPartition();
    tokens[source] = hasPartition[source] ? cursor.key().token() : Long.MAX_VALUE;
  }

  private void mergeDeletions() {
    deletionTimestamp = DeletionTime.NO_TIMESTAMP;
    deletionLocalTime = DeletionTime.NO_DELETION_TIME;
    for (int i = 0; i < memberCount; i++) {
      PartitionCursor source = sources.get(members[i]);
      if (!DeletionTime.isLive(source.deletionTimestamp())
          && (DeletionTime.isLive(deletionTimestamp)
              || ConflictRules.deletionSupersedes(
                  source.deletionTimestamp(),
                  source.deletionLocalTime(),
                  deletionTimestamp,
                  deletionLocalTime))) {
        deletionTimestamp = source.deletionTimestamp();
        deletionLocalTime = source.deletionLocalTime();
      }
    }
  }

  private void tellDeletions() {
    if (DeletionTime.isLive(deletionTimestamp)) {
      return; // No source has one.
    }
    boolean isToBeShown = true;
    for (int i = 0; i < memberCount; i++) {
      long timestamp = sources.get(members[i]).deletionTimestamp();
      if (!DeletionTime.isLive(timestamp)) {
        boolean isShown = isToBeShown && timestamp == deletionTimestamp;
        isToBeShown &= !isShown;
        listener.deletion(timestamp, isShown);
      }
    }
  }

  private boolean hasContent() throws IOException {
    firstIsPending = false;
    if (!DeletionTime.isLive(deletionTimestamp)) {
      return true;
    }
    unfiltered = rows.next();
    firstIsPending = unfiltered != null;
    return firstIsPending;
  }

  @Override
  public PartitionKey key() {
    if (memberCount == 0) {
      throw noPartition();
    }
    return sources.get(members[0]).key();
  }

  @Override
  public long deletionTimestamp() {
    return deletionTimestamp;
  }

  @Override
  public long deletionLocalTime() {
    return deletionLocalTime;
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    if (firstIsPending) {
      firstIsPending = false;
      return true;
    }
    if (memberCount == 0) {
      throw noPartition();
    }
    unfiltered = rows.next();
    return unfiltered != null;
  }

  @Override
  public Unfiltered unfiltered() {
    Unfiltered present = unfiltered;
    if (present == null) {
      throw isOpen ? new IllegalStateException("the merge stands at no row") : closed();
    }
    return present;
  }

  private IllegalStateException noPartition() {
    return isOpen ? new IllegalStateException("the merge stands at no partition") : closed();
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("the merge has not begun, or is closed");
  }

  /** Closes the sources. */
  @Override
  public void close() throws IOException {
    isOpen = false;
    cancelSignal = CancelSignal.NEVER;
    memberCount = 0;
    firstIsPending = false;
    unfiltered = null;
    Throwable failure = null;
    for (int i = 0; i < sources.size(); i++) {
      failure = Closeables.close(sources.get(i), failure);
    }
    sources.clear();
    rows.forget();
    Failures.rethrow(failure);
  }

  /** Partition order; sources at their end are last. */
  private final class Tree extends LoserTree {
    @Override
    int compare(int left, int right) {
      if (tokens[left] != tokens[right]) {
        return Long.compare(tokens[left], tokens[right]);
      }
      if (!hasPartition[left] || !hasPartition[right]) {
        return Boolean.compare(hasPartition[right], hasPartition[left]);
      }
      return sources.get(left).key().compareTo(sources.get(right).key());
    }
  }
}
