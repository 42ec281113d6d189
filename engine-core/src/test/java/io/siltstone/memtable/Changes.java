package io.siltstone.memtable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.memtable.MemtableModel.Bound;
import io.siltstone.memtable.MemtableModel.Cell;
import io.siltstone.memtable.MemtableModel.Change;
import io.siltstone.memtable.MemtableModel.Range;
import io.siltstone.memtable.MemtableModel.RowChange;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The tables of these tests, and changes of them in serialized form. */
final class Changes {
  /** Two clustering columns, a static column, a simple one and a map. */
  static final RowEncoding CLUSTERED = encoding(List.of(CqlTypes.INT, CqlTypes.INT));

  /** The same without clustering columns. */
  static final RowEncoding PLAIN = encoding(List.of());

  /** Index of the column {@code v}. */
  static final int SIMPLE = 0;

  /** Index of the column {@code m}, a map. */
  static final int MAP = 1;

  private Changes() {}

  private static RowEncoding encoding(List<CqlType> clustering) {
    return new RowEncoding(
        new SerializationHeader(
            CqlTypes.BLOB,
            clustering,
            List.of(new HeaderColumn("s", CqlTypes.BLOB)),
            List.of(
                new HeaderColumn("v", CqlTypes.BLOB),
                new HeaderColumn("m", CqlTypes.map(CqlTypes.INT, CqlTypes.BLOB))),
            EncodingStats.NONE),
        true);
  }

  static byte[] bytesOf(int number) {
    byte[] bytes = new byte[Integer.BYTES];
    BigEndian.putInt(bytes, 0, number);
    return bytes;
  }

  static PartitionKey key(int number) {
    return key(Partitioner.MURMUR3, bytesOf(number));
  }

  static PartitionKey key(Partitioner partitioner, byte[] bytes) {
    return PartitionKey.of(bytes, partitioner.token(bytes, 0, bytes.length));
  }

  static Clustering row(int first, int second) {
    return Clustering.of(
        ClusteringKind.CLUSTERING, CLUSTERED, List.of(bytesOf(first), bytesOf(second)));
  }

  static Clustering bound(ClusteringKind kind, int... values) {
    List<byte[]> bytes = new ArrayList<>();
    for (int value : values) {
      bytes.add(bytesOf(value));
    }
    return Clustering.of(kind, CLUSTERED, bytes);
  }

  static Slice slice(Bound start, Bound end) {
    return new Slice(
        bound(
            start.behind() ? ClusteringKind.EXCL_START_BOUND : ClusteringKind.INCL_START_BOUND,
            start.values()),
        bound(
            end.behind() ? ClusteringKind.INCL_END_BOUND : ClusteringKind.EXCL_END_BOUND,
            end.values()));
  }

  /** Fills an update with a change. */
  static void encode(Change change, PartitionUpdate update) throws IOException {
    UnfilteredEncoder encoder = new UnfilteredEncoder(update.encoding());
    boolean clustered = update.encoding().isSameAs(CLUSTERED);
    update.begin(change.key());
    if (!DeletionTime.isLive(change.deletedAt())) {
      update.deletion(change.deletedAt(), MemtableModel.localTime(change.deletedAt()));
    }
    // Rows and bounds by place; ranges are sorted and do not overlap.
    NavigableMap<Integer, RowChange> rows = new TreeMap<>();
    change.rows().forEach(row -> rows.put(row.place(), row));
    for (Range range : change.ranges()) {
      Slice slice = slice(range.start(), range.end());
      addRows(rows.headMap(range.start().position()), clustered, encoder, update);
      marker(slice.start(), range.timestamp(), encoder, update);
      addRows(rows.headMap(range.end().position()), clustered, encoder, update);
      marker(slice.end(), range.timestamp(), encoder, update);
    }
    addRows(rows, clustered, encoder, update);
  }

  private static void marker(
      Clustering bound, long timestamp, UnfilteredEncoder encoder, PartitionUpdate update) {
    encoder.marker(bound, timestamp, MemtableModel.localTime(timestamp), 0, 0, 0);
    update.add(encoder);
  }

  private static void addRows(
      Map<Integer, RowChange> rows,
      boolean clustered,
      UnfilteredEncoder encoder,
      PartitionUpdate update) {
    for (RowChange row : rows.values()) {
      encodeRow(row, clustered, encoder);
      update.add(encoder);
    }
    rows.clear();
  }

  private static void encodeRow(RowChange row, boolean clustered, UnfilteredEncoder encoder) {
    if (row.place() == MemtableModel.STATIC) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      if (clustered) {
        encoder.clustering(
            row(MemtableModel.first(row.place()), MemtableModel.second(row.place())));
      }
    }
    if (!DeletionTime.isLive(row.liveAt())) {
      encoder.liveness(row.liveAt(), DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME);
    }
    if (!DeletionTime.isLive(row.deletedAt())) {
      encoder.deletion(row.deletedAt(), MemtableModel.localTime(row.deletedAt()), false);
    }
    int column = -1;
    if (!DeletionTime.isLive(row.mapDeletedAt()) && row.cells().stream().noneMatch(Cell::isOfMap)) {
      row.cells().forEach(cell -> encodeCell(cell, true, encoder));
      encoder.column(MAP);
      encoder.complexDeletion(row.mapDeletedAt(), MemtableModel.localTime(row.mapDeletedAt()));
    } else {
      for (Cell cell : row.cells()) {
        int at = cell.isOfMap() ? MAP : SIMPLE;
        if (at != column && at == MAP && !DeletionTime.isLive(row.mapDeletedAt())) {
          encoder.column(MAP);
          encoder.complexDeletion(row.mapDeletedAt(), MemtableModel.localTime(row.mapDeletedAt()));
          column = MAP;
        }
        encodeCell(cell, at != column, encoder);
        column = at;
      }
    }
    encoder.finish(0);
  }

  private static void encodeCell(Cell cell, boolean begins, UnfilteredEncoder encoder) {
    if (begins) {
      encoder.column(cell.isOfMap() ? MAP : SIMPLE);
    }
    byte[] path = cell.isOfMap() ? bytesOf(cell.path()) : new byte[0];
    encoder.cell(
        cell.timestamp(),
        DeletionTime.NO_TTL,
        cell.isTombstone()
            ? MemtableModel.localTime(cell.timestamp())
            : DeletionTime.NO_DELETION_TIME,
        path,
        0,
        path.length,
        cell.value(),
        0,
        cell.value().length);
  }
}
