package io.siltstone.rows;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.TableSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Converts between places in a query's result and paging states. Immutable. */
final class Places {
  private final Query query;

  Places(Query query) {
    this.query = query;
  }

  /** Returns the place before its first row. */
  PagingState beginning() {
    return PagingState.ofBeginning(fingerprint(), query.limit());
  }

  /**
   * Returns the place after a row.
   *
   * @param rowsLeft of the limit
   * @param inPartition rows returned of its partition
   */
  PagingState after(Row row, long rowsLeft, int inPartition) {
    RowEncoding encoding = query.table().encoding();
    byte[] keyBytes = query.table().keys().join(row.partitionBlock());
    byte[] block = row.rowBlock();
    if (block == null) {
      return PagingState.of(
          PagingState.Place.AFTER_PARTITION,
          fingerprint(),
          rowsLeft,
          inPartition,
          keyBytes,
          new byte[0]);
    }
    List<byte @Nullable []> values = new ArrayList<>();
    for (int slot = 0; slot < encoding.header().clusteringTypes().size(); slot++) {
      values.add(ValueBlock.isNull(block, slot) ? null : ValueBlock.value(block, slot));
    }
    Clustering clustering = Clustering.of(ClusteringKind.CLUSTERING, encoding, values);
    return PagingState.of(
        PagingState.Place.AFTER_ROW,
        fingerprint(),
        rowsLeft,
        inPartition,
        keyBytes,
        bytesOf(clustering));
  }

  /**
   * Checks that the query can continue after a paging state.
   *
   * @throws IllegalArgumentException if the state comes from a query of another table, other
   *     restrictions or another order
   */
  void check(PagingState state) {
    if (state.query() != fingerprint()) {
      throw new IllegalArgumentException(
          "paging state of another query: it goes with the same table, restrictions and order only");
    }
    if (state.place() != PagingState.Place.BEGINNING) {
      PartitionKey at = query.table().keys().keyOf(state.key());
      if (!holds(at)) {
        throw new IllegalArgumentException("paging state of " + at + ", which is not in the query");
      }
    }
    if (state.place() == PagingState.Place.AFTER_ROW) {
      clusteringOf(state);
    }
  }

  /** Returns the row after which a paging state stands. */
  Clustering clusteringOf(PagingState state) {
    byte[] bytes = state.clustering();
    Clustering clustering = new Clustering();
    int end = clustering.wrapPrefix(query.table().encoding(), bytes, 0, bytes.length);
    if (clustering.kind() != ClusteringKind.CLUSTERING || end != bytes.length) {
      throw new IllegalArgumentException("paging state holds no clustering of a row");
    }
    for (int i = 0; i < clustering.size(); i++) {
      if (clustering.valueLength(i) > 0) {
        query
            .schema()
            .clusteringTypes()
            .get(i)
            .validate(bytes, clustering.valueOffset(i), clustering.valueLength(i));
      }
    }
    return clustering;
  }

  private boolean holds(PartitionKey at) {
    PartitionKey from = query.range().from();
    PartitionKey to = query.range().to();
    PartitionKey key = query.keyView();
    return key != null
        ? key.compareTo(at) == 0
        : (from == null || from.compareTo(at) <= 0) && (to == null || at.compareTo(to) < 0);
  }

  /** Returns a hash of the restrictions and the order of a query, without columns and limits. */
  private int fingerprint() {
    CRC32C crc = new CRC32C();
    TableSchema schema = query.schema();
    update(crc, schema.keyspace().getBytes(StandardCharsets.UTF_8));
    update(crc, schema.name().getBytes(StandardCharsets.UTF_8));
    update(crc, query.keyView());
    update(crc, query.range().from());
    update(crc, query.range().to());
    for (Slice slice : query.slices()) {
      update(crc, bytesOf(slice.start()));
      update(crc, bytesOf(slice.end()));
    }
    crc.update(
        (query.isReversed() ? 1 : 0)
            + (query.isDistinct() ? 2 : 0)
            + (query.restrictsRows() ? 4 : 0));
    return (int) crc.getValue();
  }

  private static void update(CRC32C crc, @Nullable PartitionKey key) {
    if (key == null) {
      crc.update(0);
    } else {
      byte[] token = new byte[Long.BYTES];
      BigEndian.putLong(token, 0, key.token());
      update(crc, token);
      update(crc, key.toByteArray());
    }
  }

  private static void update(CRC32C crc, byte[] bytes) {
    byte[] length = new byte[Integer.BYTES];
    BigEndian.putInt(length, 0, bytes.length);
    crc.update(length);
    crc.update(bytes);
  }

  private static byte[] bytesOf(Clustering clustering) {
    byte[] bytes = new byte[clustering.prefixLength()];
    clustering.writePrefix(bytes, 0);
    return bytes;
  }
}
