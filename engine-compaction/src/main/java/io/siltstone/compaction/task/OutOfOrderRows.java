package io.siltstone.compaction.task;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * Sorts rows and range tombstones that are out of order in a scrubbed SSTable, and writes them to
 * SSTables of their own.
 *
 * <p>Rows are gathered up to a fixed number of bytes, sorted and written as one SSTable; then
 * gathering starts again. So memory does not depend on how many rows are out of order. In the worst
 * case, rows in reverse order, there is one SSTable for each full buffer; the next compaction
 * merges them. Rows of the same clustering are reconciled into one, as by a read. Confined to one
 * thread.
 */
final class OutOfOrderRows {
  private static final long LEAST_BYTES = 4L << 20;
  private static final long MOST_BYTES = 64L << 20;
  private static final int SHARE_OF_HEAP = 32;
  // The estimated size of an object in addition to the bytes that it holds.
  private static final int OVERHEAD_BYTES = 256;

  private final SSTable input;
  private final ClusteringComparator order;
  private final UnfilteredEncoder encoder;
  private final Unfiltered view;
  private final RowCollapse collapse;
  private final StageCounters.Flow written;
  private final Outputs outputs;
  private final long mostBytes;
  private final TreeMap<PartitionKey, GatheredPartition> parts = new TreeMap<>();
  private long bytes;

  /** Provides the SSTables to write to. */
  interface Outputs {
    /** Begins an SSTable. */
    SSTableWriter next() throws IOException;

    /** Finishes an SSTable, which may be empty. */
    void done(SSTableWriter writer) throws IOException;
  }

  @SuppressWarnings("ArrayRecordComponent") // Rows are never compared.
  private record Row(Clustering clustering, byte[] bytes) {}

  /** One end of a range tombstone. */
  private record End(Clustering at, boolean isStart, Range range) {}

  /** The deletion of a range; a greater one supersedes a smaller one. */
  private record Range(long timestamp, long localTime) implements Comparable<Range> {
    @Override
    public int compareTo(Range other) {
      return timestamp != other.timestamp
          ? Long.compare(timestamp, other.timestamp)
          : Long.compare(localTime, other.localTime);
    }
  }

  /** The gathered rows and range tombstones of one partition. */
  private static final class GatheredPartition {
    private long deletionTimestamp = DeletionTime.NO_TIMESTAMP;
    private long deletionLocalTime = DeletionTime.NO_DELETION_TIME;
    private final List<Row> statics = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private final List<End> ends = new ArrayList<>();
  }

  /**
   * @param input the SSTable that the rows come from
   * @param written counts what is written
   */
  OutOfOrderRows(SSTable input, StageCounters.Flow written, Outputs outputs) {
    this(
        input,
        written,
        outputs,
        Math.max(
            LEAST_BYTES, Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP)));
  }

  OutOfOrderRows(SSTable input, StageCounters.Flow written, Outputs outputs, long mostBytes) {
    this.input = input;
    this.order = new ClusteringComparator(input.header().clusteringTypes());
    this.encoder = new UnfilteredEncoder(input.encoding());
    this.view =
        new Unfiltered(
            input.encoding(),
            (at, reason) -> new IOException("a copied row is damaged: " + reason));
    this.collapse = new RowCollapse(input.encoding());
    this.written = written;
    this.outputs = outputs;
    this.mostBytes = mostBytes;
  }

  /** Adds a copy of a row, static or not. */
  void add(PartitionKey key, Unfiltered row) throws IOException {
    GatheredPartition part = part(key);
    Clustering at = new Clustering();
    at.copyFrom(row.clustering());
    byte[] copy = Arrays.copyOfRange(row.bytes(), row.from(), row.end());
    (row.isStatic() ? part.statics : part.rows).add(new Row(at, copy));
    charge(copy.length + (long) at.serializedLength());
  }

  /**
   * Adds a range tombstone.
   *
   * @return false if nothing lies between its bounds, and it was not added
   */
  boolean addRange(
      PartitionKey key, Clustering start, Clustering end, long timestamp, long localTime)
      throws IOException {
    if (order.compare(start, end) >= 0) {
      return false;
    }
    GatheredPartition part = part(key);
    Range range = new Range(timestamp, localTime);
    part.ends.add(new End(copy(start), true, range));
    part.ends.add(new End(copy(end), false, range));
    charge(2L * (start.serializedLength() + end.serializedLength()));
    return true;
  }

  /** Adds the deletion of a partition. */
  void addDeletion(PartitionKey key, long timestamp, long localTime) throws IOException {
    GatheredPartition part = part(key);
    if (DeletionTime.isLive(part.deletionTimestamp)
        || new Range(timestamp, localTime)
                .compareTo(new Range(part.deletionTimestamp, part.deletionLocalTime))
            > 0) {
      part.deletionTimestamp = timestamp;
      part.deletionLocalTime = localTime;
    }
    charge(0);
  }

  private static Clustering copy(Clustering of) {
    Clustering copy = new Clustering();
    copy.copyFrom(of);
    return copy;
  }

  private GatheredPartition part(PartitionKey key) {
    GatheredPartition part = parts.get(key);
    if (part == null) {
      part = new GatheredPartition();
      parts.put(PartitionKey.of(key.toByteArray(), key.token()), part);
      bytes += key.length() + OVERHEAD_BYTES;
    }
    return part;
  }

  private void charge(long more) throws IOException {
    bytes += more + OVERHEAD_BYTES;
    if (bytes >= mostBytes) {
      flush();
    }
  }

  /** Writes all that was gathered to an SSTable of its own, if there is anything. */
  void flush() throws IOException {
    if (parts.isEmpty()) {
      return;
    }
    SSTableWriter writer = outputs.next();
    while (!parts.isEmpty()) {
      var entry = parts.pollFirstEntry();
      write(entry.getKey(), entry.getValue(), writer);
    }
    bytes = 0;
    outputs.done(writer);
  }

  private void write(PartitionKey key, GatheredPartition part, SSTableWriter writer)
      throws IOException {
    written.partition(key);
    writer.startPartition(key, part.deletionTimestamp, part.deletionLocalTime);
    writeRow(key, part.statics, writer);
    // Both sorts are stable: of rows with the same clustering, the first in the file stays the
    // first.
    part.rows.sort((left, right) -> order.compare(left.clustering(), right.clustering()));
    part.ends.sort((left, right) -> order.compare(left.at(), right.at()));
    OpenRanges open = new OpenRanges();
    int nextEnd = 0;
    for (int from = 0; from < part.rows.size(); ) {
      Clustering at = part.rows.get(from).clustering();
      while (nextEnd < part.ends.size() && order.compare(part.ends.get(nextEnd).at(), at) < 0) {
        nextEnd = writeMarker(part.ends, nextEnd, open, writer);
      }
      int to = from + 1;
      while (to < part.rows.size() && order.compare(part.rows.get(to).clustering(), at) == 0) {
        to++;
      }
      writeRow(key, part.rows.subList(from, to), writer);
      from = to;
    }
    while (nextEnd < part.ends.size()) {
      nextEnd = writeMarker(part.ends, nextEnd, open, writer);
    }
    writer.endPartition();
  }

  /** Writes the merge of these versions of a row, unless nothing is left. */
  private void writeRow(PartitionKey key, List<Row> versions, SSTableWriter writer)
      throws IOException {
    byte[] row = collapse.collapse(key, versions.stream().map(Row::bytes).toList());
    if (row != null) {
      view.wrap(row, 0, row.length);
      written.rows++;
      writer.add(view);
    }
  }

  /** The ranges that are open at the present place, each as often as it is open. */
  private static final class OpenRanges {
    private final TreeMap<Range, Integer> ranges = new TreeMap<>();

    void add(Range range) {
      ranges.merge(range, 1, Integer::sum);
    }

    void remove(Range range) {
      ranges.computeIfPresent(range, (key, times) -> times == 1 ? null : times - 1);
    }

    Range greatest() {
      return ranges.isEmpty() ? NONE : ranges.lastKey();
    }
  }

  private static final Range NONE = new Range(DeletionTime.NO_TIMESTAMP, 0);

  /**
   * Passes all range ends at one clustering, and writes a marker if the greatest deletion changes
   * there.
   */
  private int writeMarker(List<End> ends, int from, OpenRanges open, SSTableWriter writer)
      throws IOException {
    Clustering at = ends.get(from).at();
    Range before = open.greatest();
    int next = from;
    while (next < ends.size() && order.compare(ends.get(next).at(), at) == 0) {
      End end = ends.get(next++);
      if (end.isStart()) {
        open.add(end.range());
      } else {
        open.remove(end.range());
      }
    }
    Range after = open.greatest();
    if (before.equals(after)) {
      return next;
    }
    Clustering bound = new Clustering();
    ClusteringKind place = at.kind();
    ClusteringKind kind;
    if (before.equals(NONE)) {
      kind = place.startBound();
    } else {
      kind = after.equals(NONE) ? place.endBound() : place.boundary();
    }
    bound.copyFrom(at, kind);
    Range first = kind.closes() ? before : after;
    encoder
        .marker(
            bound, first.timestamp(), first.localTime(), after.timestamp(), after.localTime(), 0)
        .wrapWith(view);
    written.markers++;
    writer.add(view);
    return next;
  }

  /** Returns the path of the input's data file in a sentence. */
  @Override
  public String toString() {
    return "rows of " + input + " that are out of order";
  }
}
