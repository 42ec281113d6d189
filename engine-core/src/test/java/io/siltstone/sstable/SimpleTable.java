package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.TableModel.Cell;
import io.siltstone.sstable.TableModel.Column;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Marker;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.type.CqlTypes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Builds tables {@code (k blob, c int, s blob static, v blob, primary key (k, c))} by hand, for
 * tests that care about each row.
 */
final class SimpleTable {
  /** A timestamp at the header's base. */
  static final long NOW = EncodingStats.TIMESTAMP_EPOCH;

  /** A local deletion time at the header's base. */
  static final long NOW_SECONDS = EncodingStats.DELETION_TIME_EPOCH;

  static final byte[] NOTHING = {};

  private final SerializationHeader header;
  private final RowEncoding encoding;
  private final List<Partition> partitions = new ArrayList<>();

  SimpleTable(FormatVersion version) {
    this(
        version,
        new SerializationHeader(
            CqlTypes.BLOB,
            List.of(CqlTypes.INT),
            List.of(new HeaderColumn("s", CqlTypes.BLOB)),
            List.of(new HeaderColumn("v", CqlTypes.BLOB)),
            EncodingStats.NONE));
  }

  /** With other columns. */
  SimpleTable(FormatVersion version, SerializationHeader header) {
    this.header = header;
    this.encoding = new RowEncoding(header, version.hasUnsignedDeletionTimes());
  }

  RowEncoding encoding() {
    return encoding;
  }

  static PartitionKey key(byte... bytes) {
    return PartitionKey.of(bytes, Partitioner.MURMUR3.token(bytes, 0, bytes.length));
  }

  /** Adds a partition without static row and deletion. */
  SimpleTable partition(PartitionKey key, Item... items) {
    return partitionWithStatic(key, null, items);
  }

  SimpleTable partitionWithStatic(PartitionKey key, @Nullable Row staticRow, Item... items) {
    partitions.add(new Partition(key, Deletion.NONE, staticRow, Arrays.asList(items)));
    partitions.sort(Comparator.comparing(Partition::key));
    return this;
  }

  TableModel model() {
    return new TableModel(header, Partitioner.MURMUR3, partitions);
  }

  Clustering at(ClusteringKind kind, int... values) {
    List<byte[]> bytes = new ArrayList<>();
    for (int value : values) {
      bytes.add(intBytes(value));
    }
    return Clustering.of(kind, encoding, bytes);
  }

  static byte[] intBytes(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }

  Slice slice(ClusteringKind startKind, int start, ClusteringKind endKind, int end) {
    return new Slice(at(startKind, start), at(endKind, end));
  }

  /** A row with liveness and a value of so many bytes. */
  Row row(int clustering, int valueBytes) {
    byte[] value = new byte[valueBytes];
    // Not compressible, so that sizes on disk are as one expects.
    new Random(clustering).nextBytes(value);
    return row(at(ClusteringKind.CLUSTERING, clustering), column(0, live(value)));
  }

  static Row row(Clustering clustering, Column... columns) {
    return new Row(
        clustering,
        NOW,
        DeletionTime.NO_TTL,
        DeletionTime.NO_DELETION_TIME,
        Deletion.NONE,
        Arrays.asList(columns));
  }

  static Row staticRow(Column... columns) {
    Clustering place = new Clustering();
    place.copyFrom(place, ClusteringKind.STATIC_CLUSTERING);
    return update(place, columns);
  }

  /** A row without liveness, as an UPDATE writes it. */
  static Row update(Clustering clustering, Column... columns) {
    return new Row(
        clustering,
        DeletionTime.NO_TIMESTAMP,
        DeletionTime.NO_TTL,
        DeletionTime.NO_DELETION_TIME,
        Deletion.NONE,
        Arrays.asList(columns));
  }

  static Column column(int index, Cell... cells) {
    return new Column(index, Deletion.NONE, Arrays.asList(cells));
  }

  static Cell live(byte[] value) {
    return new Cell(NOTHING, NOW, DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME, value);
  }

  static Cell deleted(long localTime) {
    return new Cell(NOTHING, NOW, DeletionTime.NO_TTL, localTime, NOTHING);
  }

  /** A bound of a range deleted at {@code NOW + deletion}. */
  Marker bound(ClusteringKind kind, int value, int deletion) {
    Deletion range = range(deletion);
    return new Marker(at(kind, value), range, range);
  }

  Marker boundary(ClusteringKind kind, int value, int ends, int begins) {
    return new Marker(at(kind, value), range(ends), range(begins));
  }

  private static Deletion range(int number) {
    return new Deletion(NOW + number, NOW_SECONDS + number);
  }
}
