package io.siltstone.bulk;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.LaterRows;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An external merge sort of changes of partitions, in bounded memory. Changes are divided into
 * rows, which are sorted in an arena; when it is full, its rows go to a temporary file as a sorted
 * run. Runs are merged like SSTables, a bounded number at a time, in several passes if necessary.
 *
 * <p>An example, with room for three rows:
 *
 * <pre>
 *   add      k=2 c=1 v='a' at 10            arena: 2/1
 *   add      k=1 c=5 v='b' at 10            arena: 2/1, 1/5
 *   add      k=2 c=1 v='x' at 20, w='y'     arena: 2/1, 1/5, 2/1
 *   add      k=1 deleted at 15              run 1: 1/5, 2/1 (v='x', w='y', both versions merged)
 *   finish                                  run 2: 1 deleted at 15
 *   merged   k=1 deleted at 15              row 1/5 is older, and gone
 *            k=2 c=1 v='x', w='y'
 * </pre>
 *
 * <p>Confined to one thread; closing removes the files.
 */
public final class UpdateSorter implements Closeable {
  private static final int MAX_FAN_IN = 64;
  private static final int MAX_BUFFER_BYTES = 1 << 20;
  private static final int MIN_BUFFER_BYTES = 4 << 10;

  /** The buffer per run from which on a disk spends more time reading than seeking. */
  private static final int GOOD_BUFFER_BYTES = 256 << 10;

  /** The greatest length of a record, which is that of an array. */
  private static final int MAX_RECORD_BYTES = Integer.MAX_VALUE - 8;

  private final RowEncoding encoding;
  private final RecordOrder order;
  private final RunFiles files;
  private final RecordArena arena;
  private final RangeRecords ranges;
  private final Progress progress;
  private final boolean isLaterRows;
  private final long budgetBytes;
  private final int fanIn;
  private final int bufferBytes;
  private final KeyCardinality keys = new KeyCardinality();
  private List<String> runs = new ArrayList<>();
  private int passes;
  // Whether a partition in memory is deleted.
  private boolean hasDeletions;
  // The length of the record that was allocated last.
  private int allocatedLength;
  private long addedBytes;
  private long minTimestamp = Long.MAX_VALUE;

  /**
   * @param encoding of the changes and of the result
   * @param directory of the temporary files, that of a table
   * @param version any of the table, for names
   * @param budgetBytes memory for rows, and a quarter more for range deletions; a row that is
   *     larger is sorted by itself
   * @param isLaterRows whether of several rows of a primary key the later one wins, column by
   *     column, whatever the timestamps; then there must be no deletions
   * @param progress is called for each partition that is written to a file
   */
  public UpdateSorter(
      RowEncoding encoding,
      Directory directory,
      FormatVersion version,
      long budgetBytes,
      boolean isLaterRows,
      Progress progress) {
    this.encoding = encoding;
    this.progress = progress;
    this.isLaterRows = isLaterRows;
    this.budgetBytes = budgetBytes;
    this.order = new RecordOrder(encoding.header().clusteringTypes());
    this.files = new RunFiles(directory, version);
    this.arena = new RecordArena(order, budgetBytes);
    this.ranges = new RangeRecords(encoding);
    this.fanIn = (int) Math.max(2, Math.min(MAX_FAN_IN, budgetBytes / GOOD_BUFFER_BYTES));
    this.bufferBytes =
        (int) Math.max(MIN_BUFFER_BYTES, Math.min(MAX_BUFFER_BYTES, budgetBytes / (fanIn + 1)));
  }

  /**
   * Adds a change, which is copied.
   *
   * @param update in the encoding of this sort
   * @throws IllegalArgumentException if a row is too long, or is deleted although later rows win.
   *     The rows of the change before it have been added
   */
  public void add(PartitionUpdate update) throws IOException {
    PartitionCursor cursor = update.cursor();
    if (!cursor.nextPartition()) {
      return;
    }
    PartitionKey key = update.key();
    if (!DeletionTime.isLive(update.deletionTimestamp())) {
      addDeletion(key, update.deletionTimestamp(), update.deletionLocalTime());
    }
    try {
      while (cursor.nextUnfiltered()) {
        Unfiltered unfiltered = cursor.unfiltered();
        if (unfiltered.isMarker()) {
          requireNoDeletion(key);
          noteTimestamp(unfiltered.deletionTimestamp());
          ranges.add(unfiltered);
        } else {
          addRow(key, unfiltered);
        }
      }
      ranges.end(key);
      if (ranges.heldBytes() > budgetBytes / 4) {
        spill();
      }
    } catch (Throwable e) {
      ranges.discard();
      throw e;
    }
  }

  private void requireNoDeletion(PartitionKey key) {
    if (isLaterRows) {
      throw new IllegalArgumentException(
          "a deletion of rows of "
              + key
              + ", which later rows do not win over: allowed are rows and values");
    }
  }

  private void addDeletion(PartitionKey key, long timestamp, long localTime) throws IOException {
    requireNoDeletion(key);
    noteTimestamp(timestamp);
    int record = allocate(key, 2L * Long.BYTES);
    hasDeletions = true;
    int at =
        RecordArena.putHead(arena.bytes(), record, allocatedLength, key, RecordFormat.DELETION);
    BigEndian.putLong(arena.bytes(), at, timestamp);
    BigEndian.putLong(arena.bytes(), at + Long.BYTES, localTime);
  }

  private void addRow(PartitionKey key, Unfiltered row) throws IOException {
    if (row.hasDeletion()) {
      requireNoDeletion(key);
    }
    if (row.isEmpty()) {
      return;
    }
    noteTimestamps(row);
    int rowFrom = row.from();
    int rowLength = row.end() - rowFrom;
    if (row.isStatic()) {
      int record = allocate(key, rowLength);
      int at =
          RecordArena.putHead(arena.bytes(), record, allocatedLength, key, RecordFormat.STATIC);
      System.arraycopy(row.bytes(), rowFrom, arena.bytes(), at, rowLength);
      return;
    }
    Clustering clustering = row.clustering();
    int count = clustering.size();
    int record = allocate(key, (long) count * RecordFormat.VALUE_BYTES + rowLength);
    byte[] bytes = arena.bytes();
    int at = RecordArena.putHead(bytes, record, allocatedLength, key, RecordFormat.ROW);
    for (int i = 0; i < count; i++) {
      BigEndian.putInt(bytes, at, clustering.valueOffset(i) - rowFrom);
      BigEndian.putInt(bytes, at + Integer.BYTES, clustering.valueLength(i));
      at += RecordFormat.VALUE_BYTES;
    }
    System.arraycopy(row.bytes(), rowFrom, bytes, at, rowLength);
  }

  private int allocate(PartitionKey key, long contentLength) throws IOException {
    long length = RecordFormat.KEY_AT + key.length() + 1L + contentLength;
    if (length > MAX_RECORD_BYTES) {
      throw new IllegalArgumentException(
          "a row of " + key + " of " + length + " bytes, allowed " + MAX_RECORD_BYTES);
    }
    if (arena.isFull((int) length)) {
      spill();
    }
    addedBytes += length;
    allocatedLength = (int) length;
    return arena.allocate((int) length, key.token());
  }

  /**
   * Notes the timestamp of the liveness or deletion of a row, or of its first cell: most rows have
   * only one, and the base of the output need not be the least of all.
   */
  private void noteTimestamps(Unfiltered row) throws IOException {
    if (row.hasLiveness()) {
      noteTimestamp(row.livenessTimestamp());
    } else if (row.hasDeletion()) {
      noteTimestamp(row.deletionTimestamp());
    } else if (row.nextColumn() && row.nextCell()) {
      noteTimestamp(row.cellTimestamp());
    }
  }

  private void noteTimestamp(long timestamp) {
    if (timestamp < minTimestamp && !DeletionTime.isLive(timestamp)) {
      minTimestamp = timestamp;
    }
  }

  private void spill() throws IOException {
    List<PartitionCursor> inMemory = inMemory();
    if (inMemory.size() == 1 && !hasDeletions) {
      // The cursor has merged the versions of each row, and there is nothing else to merge.
      runs.add(write(inMemory.get(0), keys));
      inMemory = List.of();
    }
    for (int i = 0; i < inMemory.size(); i += MAX_FAN_IN) {
      List<PartitionCursor> group = inMemory.subList(i, Math.min(inMemory.size(), i + MAX_FAN_IN));
      try (MergeCursor merged = merge(group)) {
        runs.add(write(merged, keys));
      }
    }
    arena.clear();
    ranges.clear();
    hasDeletions = false;
  }

  /** Returns cursors over what is in memory, sorted. */
  private List<PartitionCursor> inMemory() {
    arena.sort();
    List<PartitionCursor> cursors = new ArrayList<>();
    cursors.add(
        new ArenaCursor(arena, order, encoding, isLaterRows ? new LaterRows(encoding) : null));
    if (!ranges.isEmpty()) {
      cursors.addAll(ranges.cursors());
    }
    return cursors;
  }

  private MergeCursor merge(List<PartitionCursor> sources) {
    TableEncoding table = new TableEncoding(encoding, List.of());
    MergeCursor merged = isLaterRows ? MergeCursor.ofLaterRows(table) : new MergeCursor(table);
    merged.begin(sources, false);
    return merged;
  }

  private String write(PartitionCursor cursor, @Nullable KeyCardinality counted)
      throws IOException {
    try (RunWriter writer = new RunWriter(new byte[bufferBytes], files.create())) {
      writer.writeAll(cursor, counted, progress);
    }
    return files.last();
  }

  /**
   * Ends the input.
   *
   * @return all partitions in order, each row once; the caller closes the cursor before this sorter
   */
  public PartitionCursor finish() throws IOException {
    if (runs.isEmpty()) {
      List<PartitionCursor> inMemory = inMemory();
      if (inMemory.size() <= MAX_FAN_IN) {
        return merge(inMemory);
      }
    }
    if (arena.count() > 0 || !ranges.isEmpty()) {
      spill();
    }
    arena.release();
    while (runs.size() > fanIn) {
      mergeOnce();
    }
    passes++;
    return open(runs);
  }

  /**
   * Merges all runs once. Each group of neighbors becomes one run, so that the order of the runs
   * stays.
   */
  private void mergeOnce() throws IOException {
    List<String> merged = new ArrayList<>();
    for (int i = 0; i < runs.size(); i += fanIn) {
      List<String> group = runs.subList(i, Math.min(i + fanIn, runs.size()));
      if (group.size() == 1) {
        merged.add(group.get(0));
        continue;
      }
      try (PartitionCursor cursor = open(group)) {
        merged.add(write(cursor, null));
      }
      for (String run : group) {
        files.delete(run);
      }
    }
    runs = merged;
    passes++;
  }

  private PartitionCursor open(List<String> names) throws IOException {
    List<PartitionCursor> cursors = new ArrayList<>(names.size());
    try {
      for (String name : names) {
        byte[] buffer = new byte[bufferBytes];
        cursors.add(new RunCursor(encoding, buffer, files.open(name)));
      }
      return merge(cursors);
    } catch (Throwable e) {
      Closeables.closeAllAfter(cursors, e);
      throw e;
    }
  }

  /** Returns whether nothing was added. */
  public boolean isEmpty() {
    return runs.isEmpty() && arena.count() == 0 && ranges.isEmpty();
  }

  /** Returns the approximate number of partitions, at least 1. Call it after {@link #finish}. */
  public long partitions() {
    return Math.max(1, runs.isEmpty() ? arena.partitions() : keys.estimate());
  }

  /** Returns the size of all that was added, in bytes. */
  public long addedBytes() {
    return addedBytes;
  }

  /** Returns about the least timestamp that was added; {@link Long#MAX_VALUE} for none. */
  public long minTimestamp() {
    return minTimestamp;
  }

  /** Returns how many temporary files were created so far. */
  public int filesMade() {
    return files.made();
  }

  /** Returns how many times the rows were merged. */
  public int passes() {
    return passes;
  }

  @Override
  public void close() throws IOException {
    arena.release();
    ranges.clear();
    files.close();
  }
}
