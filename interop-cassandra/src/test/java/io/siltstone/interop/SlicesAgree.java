package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.cassandra.db.BufferClusteringBound;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.tools.Util;
import org.apache.cassandra.utils.ByteBufferUtil;

/** Reads random slices of one SSTable, forward and reversed, with Cassandra and with the engine. */
final class SlicesAgree {
  private static final int PARTITIONS = 12;
  private static final int READS = 12;

  private final EngineTables engine;
  private final CassandraTable table;
  private final Path data;

  SlicesAgree(EngineTables engine, CassandraTable table, Path data) {
    this.engine = engine;
    this.table = table;
    this.data = data;
  }

  void check(Random random, String name) throws Exception {
    Descriptor descriptor =
        Descriptor.fromFileWithComponent(new File(data), CassandraNode.KEYSPACE, table.name()).left;
    // The file's own columns, because the schema may have lost some since.
    TableMetadata metadata = Util.metadataFromSSTable(descriptor);
    SSTableReader theirs =
        SSTableReader.openNoValidation(
            null, descriptor, TableMetadataRef.forOfflineTools(metadata));
    try (SSTable ours = engine.open(data);
        PartitionReader reader = ours.reader()) {
      List<DecoratedKey> keys = new ArrayList<>();
      try (ISSTableScanner scanner = theirs.getScanner()) {
        while (scanner.hasNext()) {
          try (UnfilteredRowIterator partition = scanner.next()) {
            keys.add(partition.partitionKey());
          }
        }
      }
      for (int i = 0; i < Math.min(PARTITIONS, keys.size()); i++) {
        DecoratedKey key = keys.get(random.nextInt(keys.size()));
        List<ClusteringPrefix<?>> places = places(theirs, key, metadata);
        for (int read = 0; read < READS; read++) {
          Slices slices = slices(random, metadata, places);
          boolean reversed = random.nextBoolean();
          compare(theirs, ours, reader, key, slices, reversed, metadata, name);
        }
      }
      assertAbsent(ours, reader, random, keys, name);
    } finally {
      theirs.selfRef().release();
    }
  }

  private static List<ClusteringPrefix<?>> places(
      SSTableReader theirs, DecoratedKey key, TableMetadata metadata) {
    List<ClusteringPrefix<?>> places = new ArrayList<>();
    try (UnfilteredRowIterator all =
        theirs.rowIterator(
            key,
            Slices.ALL,
            ColumnFilter.all(metadata),
            false,
            SSTableReadsListener.NOOP_LISTENER)) {
      while (all.hasNext()) {
        places.add(all.next().clustering());
      }
    }
    return places;
  }

  /** Returns up to three slices between positions of a partition, or all of it. */
  static Slices slices(Random random, TableMetadata metadata, List<ClusteringPrefix<?>> places) {
    if (places.isEmpty() || metadata.comparator.size() == 0) {
      return Slices.ALL;
    }
    Slices.Builder builder = new Slices.Builder(metadata.comparator);
    for (int i = random.nextInt(3); i >= 0; i--) {
      ClusteringBound<?> left = bound(random, places, true);
      ClusteringBound<?> right = bound(random, places, false);
      if (metadata.comparator.compare(left, right) < 0) {
        builder.add(org.apache.cassandra.db.Slice.make(left, right));
      }
    }
    return builder.build();
  }

  private static ClusteringBound<?> bound(
      Random random, List<ClusteringPrefix<?>> places, boolean start) {
    ClusteringPrefix<?> place = places.get(random.nextInt(places.size()));
    int size = random.nextInt(4) == 0 ? random.nextInt(place.size() + 1) : place.size();
    ByteBuffer[] values = new ByteBuffer[size];
    for (int i = 0; i < size; i++) {
      values[i] = place.bufferAt(i);
      if (values[i] == null) {
        values = Arrays.copyOf(values, i);
        break;
      }
    }
    boolean inclusive = random.nextBoolean();
    ClusteringPrefix.Kind kind =
        start
            ? inclusive
                ? ClusteringPrefix.Kind.INCL_START_BOUND
                : ClusteringPrefix.Kind.EXCL_START_BOUND
            : inclusive
                ? ClusteringPrefix.Kind.INCL_END_BOUND
                : ClusteringPrefix.Kind.EXCL_END_BOUND;
    if (values.length == 0) {
      return start ? BufferClusteringBound.BOTTOM : BufferClusteringBound.TOP;
    }
    return BufferClusteringBound.create(kind, values);
  }

  private void compare(
      SSTableReader theirs,
      SSTable ours,
      PartitionReader reader,
      DecoratedKey key,
      Slices slices,
      boolean reversed,
      TableMetadata metadata,
      String name)
      throws Exception {
    CanonicalText expected = new CanonicalText();
    try (UnfilteredRowIterator read =
        theirs.rowIterator(
            key,
            slices,
            ColumnFilter.all(metadata),
            reversed,
            SSTableReadsListener.NOOP_LISTENER)) {
      CassandraText.head(expected, read);
      while (read.hasNext()) {
        Unfiltered unfiltered = read.next();
        if (unfiltered instanceof Row row && row.isEmpty()) {
          continue;
        }
        CassandraText.unfiltered(expected, unfiltered);
      }
    }
    List<Slice> ourSlices = ours(ours.encoding(), slices);
    byte[] bytes = ByteBufferUtil.getArray(key.getKey());
    PartitionKey ourKey = PartitionKey.of(bytes, ours.partitioner().token(bytes, 0, bytes.length));
    String what = name + ", " + ourKey + ", " + slices + (reversed ? " reversed" : "");
    assertThat(reader.seek(ourKey, ourSlices, reversed)).as(what).isTrue();
    assertThat(reader.nextPartition()).as(what).isTrue();
    CanonicalText found = new CanonicalText();
    EngineText.partition(found, reader);
    assertThat(found.toString()).as(what).isEqualTo(expected.toString());
  }

  /** Returns the same slices as the engine's type. */
  static List<Slice> ours(RowEncoding encoding, Slices slices) {
    List<Slice> ours = new ArrayList<>();
    for (org.apache.cassandra.db.Slice slice : slices) {
      ours.add(new Slice(bound(encoding, slice.start()), bound(encoding, slice.end())));
    }
    return ours;
  }

  private static Clustering bound(RowEncoding encoding, ClusteringBound<?> bound) {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < bound.size(); i++) {
      values.add(ByteBufferUtil.getArray(bound.bufferAt(i)));
    }
    return Clustering.of(ClusteringKind.valueOf(bound.kind().name()), encoding, values);
  }

  private static void assertAbsent(
      SSTable ours, PartitionReader reader, Random random, List<DecoratedKey> keys, String name)
      throws Exception {
    for (int i = 0; i < 50; i++) {
      byte[] bytes = new byte[1 + random.nextInt(20)];
      random.nextBytes(bytes);
      boolean there = keys.stream().anyMatch(key -> ByteBuffer.wrap(bytes).equals(key.getKey()));
      PartitionKey key = PartitionKey.of(bytes, ours.partitioner().token(bytes, 0, bytes.length));
      assertThat(reader.seek(key)).as("%s, %s", name, key).isEqualTo(there);
    }
  }
}
