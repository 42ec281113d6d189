package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.threads.Closeables;
import io.siltstone.threads.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges several cursors over one table into one (k-way merge): shows partitions in order, and
 * within each the static row, then rows and range-tombstone markers. Reads and compactions use the
 * same merge.
 *
 * <pre>
 *   try (MergeCursor merge = new MergeCursor(table)) {
 *     merge.begin(sources, false);
 *     while (merge.nextPartition()) { ... }
 *   }
 * </pre>
 *
 * <p>An example: a table {@code (k, c, v, w)} of which three sources have versions of the partition
 * 1.
 *
 * <pre>
 *   oldest   INSERT (c=1, v='a', w='b') at 10
 *            INSERT (c=2, v='c') at 10
 *            INSERT (c=5, v='d') at 10
 *   middle   DELETE WHERE c &gt;= 2 AND c &lt;= 4 at 20
 *            UPDATE SET v='x' WHERE c=1 at 20
 *   newest   INSERT (c=5, v='y') at 30 with a TTL of 60 s
 *
 *   merged   c=1         liveness@10, v='x'@20, w='b'@10   one row made of two versions
 *            [2 .. 4]    deleted@20                        two markers, as in their source
 *            c=5         liveness@30, v='y'@30, with TTL   the bytes of the newest version
 * </pre>
 *
 * <p>Row 2 is gone, since a range deletion with a greater timestamp covers it. The merge keeps the
 * deletion itself: another source that is not part of the merge may have older rows. Row 5 is also
 * shown after its TTL is over. The merge hides nothing because of the present time: expiry at read
 * is the task of the reader ({@link Liveness}), and purging tombstones that of the compaction. The
 * versions of a row are merged by {@link Reconciler}, markers by {@link MarkerMerge}; who wins is
 * decided by {@link VersionSelector} and {@link ConflictRules}. A partition of which nothing
 * remains is not shown.
 *
 * <p>A row or marker that only one source has, and a row that overwrote those of all other sources,
 * is shown in place, in the encoding of its source. So the encoding of {@link #unfiltered()} may
 * differ from {@link #encoding()}, but it has no columns that the latter lacks. A row costs one
 * comparison of clusterings with two sources, log₂ k with k, and none with one. Nothing is
 * allocated per partition or row. After {@link #close()} the merge may begin again with other
 * sources; it keeps its buffers and column maps. Confined to one thread. Source: Cassandra {@code
 * UnfilteredPartitionIterators.merge}, {@code UnfilteredRowIterators.merge}.
 */
public final class MergeCursor implements PartitionCursor {
  private final TableEncoding table;
  private final UnfilteredMerge rows;
  private final MergeListener listener;
  // Whether the order of the sources decides between versions.
  private final boolean isOrdered;
  private final LoserTree tree = new Tree();

  private final List<PartitionCursor> sources = new ArrayList<>();
  private boolean isOpen;
  private boolean reversed;
  private CancelSignal cancelSignal = CancelSignal.NEVER;
  private boolean started;
  // True if there is one source, which needs no tree.
  private boolean isSingle;
  // Whether each source is at a partition rather than at its end.
  private boolean[] hasPartition = {};
  // Tokens of the sources' present partitions; Long.MAX_VALUE for sources at their end.
  private long[] tokens = {};
  // Sources that have the present partition.
  private int[] members = {};
  private int memberCount;
  private long deletionTimestamp = DeletionTime.NO_TIMESTAMP;
  private long deletionLocalTime = DeletionTime.NO_DELETION_TIME;
  // Deletions of ranges of keys; null for none.
  private @Nullable KeyRangeDeletions keyRanges;
  private boolean areRangesShown;
  private int keyRange = KeyRangeDeletions.NONE;
  // The deletion that applies to the rows of the partition: that of the partition, or that of a
  // range of keys.
  private long coveringTimestamp = DeletionTime.NO_TIMESTAMP;
  private long coveringLocalTime = DeletionTime.NO_DELETION_TIME;
  private boolean hasDeletions;
  // Whether the first unfiltered was read ahead, to know that there is one.
  private boolean firstIsPending;
  private @Nullable Unfiltered unfiltered;

  /** Creates a merge for a table; {@link #begin} sets the sources. */
  public MergeCursor(TableEncoding table) {
    this(table, MergeListener.NONE);
  }

  /** Creates a merge for a table whose steps are reported to a listener. */
  public MergeCursor(TableEncoding table, MergeListener listener) {
    this(table, listener, null);
  }

  private MergeCursor(TableEncoding table, MergeListener listener, @Nullable LaterRows laterRows) {
    this.table = table;
    this.rows = new UnfilteredMerge(table, listener, laterRows);
    this.listener = listener;
    this.isOrdered = laterRows != null;
  }

  /**
   * Creates a merge that takes each column of a row from the last of the sources that has it,
   * whatever the timestamps. The sources have the table's encoding, and no deletions of rows.
   */
  public static MergeCursor ofLaterRows(TableEncoding table) {
    return new MergeCursor(table, MergeListener.NONE, new LaterRows(table.rows()));
  }

  /** Begins a merge of cursors that no other thread closes. */
  public void begin(List<? extends PartitionCursor> cursors, boolean isReversed) {
    begin(cursors, isReversed, CancelSignal.NEVER);
  }

  /**
   * Begins a merge of cursors that are before their first partition. The merge takes ownership:
   * {@link #close()} closes them, also if this method throws.
   *
   * @param cursors over the same table; the list may be empty
   * @param isReversed whether rows come from the last to the first in all of them
   * @param ends signal that cancels steps, including the running one
   * @throws IllegalStateException if the present sources have not been closed
   */
  public void begin(
      List<? extends PartitionCursor> cursors, boolean isReversed, CancelSignal ends) {
    begin(cursors, isReversed, ends, null, false);
  }

  /**
   * Begins a merge as {@link #begin(List, boolean, CancelSignal)} that leaves out what deletions of
   * ranges of keys have deleted.
   *
   * @param ranges the deletions; null for none
   * @param areShown whether they are shown as deletions of the partitions in them. If not, a
   *     partition of which nothing else is left is not shown
   */
  public void begin(
      List<? extends PartitionCursor> cursors,
      boolean isReversed,
      CancelSignal ends,
      @Nullable KeyRangeDeletions ranges,
      boolean areShown) {
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
    keyRanges = ranges;
    areRangesShown = areShown;
    keyRange = KeyRangeDeletions.NONE;
    started = false;
    isSingle = count == 1;
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

  /** Returns the size in bytes of the buffers, which grow to the largest merged row. */
  public int heldBytes() {
    return rows.heldBytes();
  }

  /**
   * Returns the encoding of rows that were merged of several versions; it has all columns of all
   * rows shown.
   */
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
      if (!(isSingle ? advanceSingle() : advanceSeveral())) {
        return false;
      }
      if (isOrdered) {
        Arrays.sort(members, 0, memberCount);
      }
      listener.partition(key(), memberCount);
      mergeDeletions();
      notifyDeletions();
      rows.begin(sources, members, memberCount, coveringTimestamp, coveringLocalTime, reversed);
      if (hasContent()) {
        return true;
      }
      listener.emptyPartition(key());
    }
  }

  /** Moves the only source past the present partition; returns whether there is another one. */
  private boolean advanceSingle() throws IOException {
    if (!started || hasPartition[0]) {
      started = true;
      hasPartition[0] = sources.get(0).nextPartition();
      members[0] = 0;
    }
    memberCount = hasPartition[0] ? 1 : 0;
    return hasPartition[0];
  }

  /** Moves all sources past the present partition; returns whether there is another one. */
  private boolean advanceSeveral() throws IOException {
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
    boolean isThere = !sources.isEmpty() && hasPartition[tree.winner()];
    if (isThere) {
      memberCount = tree.collectEqual(members);
    }
    return isThere;
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
    hasDeletions = !DeletionTime.isLive(deletionTimestamp);
    coveringTimestamp = deletionTimestamp;
    coveringLocalTime = deletionLocalTime;
    if (keyRanges != null) {
      mergeKeyRange(keyRanges);
    }
  }

  /** Applies the deletion of a range of keys, if the partition lies in one. */
  private void mergeKeyRange(KeyRangeDeletions ranges) {
    keyRange = ranges.seek(keyRange, key());
    if (keyRange == ranges.fragments().size()) {
      return;
    }
    KeyRangeDeletions.Fragment range = ranges.fragments().get(keyRange);
    if (range.contains(key()) && range.timestamp() >= deletionTimestamp) {
      coveringTimestamp = range.timestamp();
      coveringLocalTime = range.localDeletionTime();
      // The deletion of the partition deletes nothing that the range does not.
      deletionTimestamp = areRangesShown ? coveringTimestamp : DeletionTime.NO_TIMESTAMP;
      deletionLocalTime = areRangesShown ? coveringLocalTime : DeletionTime.NO_DELETION_TIME;
    }
  }

  private void notifyDeletions() {
    if (!hasDeletions) {
      return;
    }
    boolean isToBeShown = !DeletionTime.isLive(deletionTimestamp);
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
    keyRanges = null;
    memberCount = 0;
    firstIsPending = false;
    unfiltered = null;
    Throwable failure = null;
    for (int i = 0; i < sources.size(); i++) {
      failure = Closeables.close(sources.get(i), failure);
    }
    sources.clear();
    rows.release();
    Failures.rethrow(failure);
  }

  /** The order of partitions; sources at their end are last. */
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
