package io.siltstone.liveset;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.io.Directory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Live sets of tables {@code (k int primary key, v int)} that have a row for each of some keys. */
final class SmallTables {
  static final TableSchema SCHEMA =
      TableSchema.builder("ks", "t")
          .partitionKey("k", CqlTypes.INT)
          .regular("v", CqlTypes.INT)
          .build();

  static final SerializationHeader HEADER =
      new SerializationHeader(
          CqlTypes.INT,
          List.of(),
          List.of(),
          List.of(new HeaderColumn("v", CqlTypes.INT)),
          EncodingStats.NONE);

  /** Timestamp of key 0; that of key n is n later. */
  static final long EPOCH = EncodingStats.TIMESTAMP_EPOCH;

  private static final byte[] NOTHING = {};

  private SmallTables() {}

  static LiveSetOptions.Builder options(MemoryBudget budget) {
    return LiveSetOptions.builder(
        (directory, descriptor) ->
            SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, budget));
  }

  static LiveSet open(Directory directory, MemoryBudget budget) throws IOException {
    return LiveSet.open(directory, SCHEMA, options(budget).build(), budget);
  }

  static LiveSet openReadOnly(Directory directory, MemoryBudget budget) throws IOException {
    return LiveSet.open(directory, SCHEMA, options(budget).readOnly(true).build(), budget);
  }

  static PartitionKey key(int number) {
    byte[] bytes = bytes(number);
    return PartitionKey.of(bytes, Partitioner.MURMUR3.token(bytes, 0, bytes.length));
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  /** Writes the keys into a new output. */
  static SSTableWriter write(Claim claim, Collection<Integer> keys) throws IOException {
    SSTableWriter writer = claim.newOutput(OutputHints.of(HEADER, Math.max(1, keys.size())));
    write(writer, keys);
    return writer;
  }

  static void write(SSTableWriter writer, Collection<Integer> keys) throws IOException {
    RowEncoding encoding =
        new RowEncoding(HEADER, writer.descriptor().version().hasUnsignedDeletionTimes());
    UnfilteredEncoder encoder = new UnfilteredEncoder(encoding);
    Unfiltered row = new Unfiltered(encoding, (index, reason) -> new IOException(reason));
    TreeMap<PartitionKey, Integer> sorted = new TreeMap<>();
    keys.forEach(number -> sorted.put(key(number), number));
    for (var entry : sorted.entrySet()) {
      writer.startPartition(
          entry.getKey(), DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
      encoder.beginRow();
      encoder.liveness(
          EPOCH + entry.getValue(), DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME);
      encoder.column(0);
      encoder.cell(
          EPOCH + entry.getValue(),
          DeletionTime.NO_TTL,
          DeletionTime.NO_DELETION_TIME,
          NOTHING,
          0,
          0,
          bytes(entry.getValue()),
          0,
          Integer.BYTES);
      encoder.finish(0).wrapWith(row);
      writer.add(row);
      writer.endPartition();
    }
  }

  /** Flushes a table with these keys. */
  static Descriptor flush(LiveSet set, Integer... keys) throws IOException {
    try (Claim flush = set.beginFlush(CommitLogIntervals.NONE)) {
      Descriptor descriptor = write(flush, List.of(keys)).descriptor();
      flush.commit();
      return descriptor;
    }
  }

  /** Merges tables into one with all their keys, and some more by which to tell it. */
  static Descriptor merge(LiveSet set, Set<Descriptor> inputs, Integer... more) throws IOException {
    try (Claim claim = set.claim(inputs).orElseThrow()) {
      SortedSet<Integer> keys = new TreeSet<>(List.of(more));
      for (SSTable input : claim.inputs()) {
        keys.addAll(keys(input));
      }
      Descriptor output = write(claim, keys).descriptor();
      claim.commit();
      return output;
    }
  }

  /** The keys of a table, read from its files. */
  static SortedSet<Integer> keys(SSTable table) throws IOException {
    SortedSet<Integer> keys = new TreeSet<>();
    try (DataCursor cursor = table.scan()) {
      while (cursor.nextPartition()) {
        keys.add(ByteBuffer.wrap(cursor.key().toByteArray()).getInt());
      }
    }
    return keys;
  }

  /** The keys of each live table, those with the least keys first. */
  static List<SortedSet<Integer>> content(LiveSet set) throws IOException {
    View view = set.acquire();
    try {
      List<SortedSet<Integer>> content = new ArrayList<>();
      for (SSTable table : view.byFirstKey()) {
        content.add(keys(table));
      }
      content.sort((a, b) -> a.toString().compareTo(b.toString()));
      return content;
    } finally {
      view.release();
    }
  }

  /** As {@link #content(LiveSet)} of a directory that is opened for it. */
  static List<SortedSet<Integer>> content(Directory directory, MemoryBudget budget)
      throws IOException {
    try (LiveSet set = open(directory, budget)) {
      return content(set);
    }
  }
}
