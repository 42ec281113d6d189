package io.siltstone.compaction.task;

import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.compaction.report.JobReport;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.LiveSetOptions;
import io.siltstone.memtable.Memtable;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.RepairState;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** A directory of SSTables of one table, written by flushes of a test's writes. */
final class TaskTables implements Closeable {
  /** Seconds since 1970: the local deletion times that are written. */
  static final long NOW = 1_700_000_000L;

  /** Microseconds since 1970: the time that tests count from. */
  static final long EPOCH = NOW * 1_000_000;

  static final String CQL =
      "CREATE TABLE ks.t (k int, c int, s int static, v text, m map<int, int>, w text,"
          + " PRIMARY KEY (k, c)) WITH gc_grace_seconds = 100"
          + " AND compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}"
          + " AND min_index_interval = 1;";

  final LiveSet set;
  private final MemoryBudget memory;
  private TableSchema schema;

  private TaskTables(
      String cql,
      Directory directory,
      FormatVersion version,
      MemoryBudget memory,
      SSTableOptions opening)
      throws IOException {
    this.schema = SchemaParser.parse(cql).onlyTable();
    this.memory = memory;
    LiveSetOptions options =
        LiveSetOptions.builder((in, descriptor) -> SSTable.open(in, descriptor, opening, memory))
            .columnIndexSizeBytes(1024)
            .version(version)
            .build();
    this.set = LiveSet.open(directory, schema, options, memory);
  }

  static TaskTables open(Directory directory, MemoryBudget memory) throws IOException {
    return open(CQL, directory, memory);
  }

  /** An SSTable of another table. */
  static TaskTables open(String cql, Directory directory, MemoryBudget memory) throws IOException {
    return new TaskTables(cql, directory, FormatVersion.OA, memory, SSTableOptions.DEFAULT);
  }

  /** A writer of this version. */
  static TaskTables open(FormatVersion version, Directory directory, MemoryBudget memory)
      throws IOException {
    return open(CQL, version, directory, memory);
  }

  /** A writer of this version of another table. */
  static TaskTables open(
      String cql, FormatVersion version, Directory directory, MemoryBudget memory)
      throws IOException {
    return new TaskTables(cql, directory, version, memory, SSTableOptions.DEFAULT);
  }

  /** Options that check no checksums unless asked to. */
  static TaskTables openUnchecked(Directory directory, MemoryBudget memory) throws IOException {
    return new TaskTables(
        CQL, directory, FormatVersion.OA, memory, SSTableOptions.DEFAULT.withCrcCheckChance(0));
  }

  static TaskTables openForSalvage(Directory directory, MemoryBudget memory) throws IOException {
    return new TaskTables(
        CQL, directory, FormatVersion.OA, memory, SSTableOptions.DEFAULT.withSalvage(true));
  }

  TableSchema schema() {
    return schema;
  }

  void alter(String what) {
    schema = SchemaParser.alter(schema, "ALTER TABLE ks.t " + what + ";", EPOCH);
    set.alter(schema);
  }

  /** The writes of one flush. */
  interface Writes {
    /** Writes to one partition, at a time in microseconds from {@link #EPOCH} on. */
    void at(long micros, int key, Consumer<MutationBuilder> change);
  }

  /** Writes an SSTable. */
  Descriptor flush(Consumer<Writes> writes) throws IOException {
    return flush(NOW, writes);
  }

  /** Writes an SSTable with a repair state. */
  Descriptor flush(RepairState repair, Consumer<Writes> writes) throws IOException {
    return flush(new EncodingStats(EPOCH, NOW, 0), repair, writes);
  }

  /** Writes an SSTable whose local deletion times are differences from a base. */
  Descriptor flush(long base, Consumer<Writes> writes) throws IOException {
    return flush(new EncodingStats(EPOCH, base, 0), writes);
  }

  /** Writes an SSTable with these delta bases. */
  Descriptor flush(EncodingStats bases, Consumer<Writes> writes) throws IOException {
    return flush(bases, RepairState.UNREPAIRED, writes);
  }

  private Descriptor flush(EncodingStats bases, RepairState repair, Consumer<Writes> writes)
      throws IOException {
    InstantSource clock = InstantSource.fixed(Instant.ofEpochSecond(NOW));
    RowEncoding encoding = RowEncoding.of(schema, bases, true);
    MutationFactory factory =
        new MutationFactory(
            schema,
            encoding,
            Partitioner.MURMUR3,
            WriteClock.following(clock),
            new ListPaths(clock, 1));
    Memtable memtable = new Memtable(encoding, 1, memory);
    try {
      writes.accept(
          (micros, key, change) -> {
            MutationBuilder builder = factory.mutation(key).timestamp(EPOCH + micros);
            change.accept(builder);
            PartitionUpdate update = new PartitionUpdate(encoding);
            try {
              MutationFactory.wrap(builder.build(), update);
              memtable.reserve(memtable.shardOf(update.key()), memtable.spaceFor(update));
              memtable.apply(update);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      try (Claim claim = set.beginFlush(CommitLogIntervals.NONE);
          PartitionCursor rows = memtable.scan(PartitionRange.ALL)) {
        SSTableWriter writer =
            claim.newOutput(OutputHints.of(encoding.header(), 1000).withRepair(repair));
        while (rows.nextPartition()) {
          writer.add(rows);
        }
        claim.commit();
        return writer.descriptor();
      }
    } finally {
      memtable.release();
    }
  }

  Set<Descriptor> live() {
    Set<Descriptor> live = new HashSet<>();
    set.live().tables().forEach(table -> live.add(table.descriptor()));
    return live;
  }

  /** Returns a builder of options for a time {@code seconds} after all writes. */
  TaskOptions.Builder options(long seconds) {
    return TaskOptions.builder(schema, NOW + seconds);
  }

  /** Compacts SSTables. */
  JobReport compact(Set<Descriptor> inputs, TaskOptions options) throws IOException {
    return compact(inputs, options, new TaskProgress(), StageProbes.NONE);
  }

  JobReport compact(
      Set<Descriptor> inputs, TaskOptions options, TaskProgress progress, StageProbes stageProbes)
      throws IOException {
    try (Claim claim = set.claim(inputs).orElseThrow()) {
      return new CompactionTask(claim, options, progress, stageProbes).run();
    }
  }

  /** Returns the merged content of all live SSTables, a line for each partition, row and marker. */
  List<String> content() throws IOException {
    return content(live());
  }

  List<String> content(Set<Descriptor> of) throws IOException {
    if (of.isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    RowEncoding rows = RowEncoding.of(schema, EncodingStats.NONE, true);
    try (Claim claim = set.claim(of).orElseThrow();
        MergeCursor merge = new MergeCursor(new TableEncoding(rows, schema.droppedColumns()))) {
      List<PartitionCursor> cursors = new ArrayList<>();
      try {
        for (SSTable table : claim.inputs()) {
          cursors.add(table.scan());
        }
      } finally {
        merge.begin(cursors, false);
      }
      while (merge.nextPartition()) {
        lines.add(merge.key() + " " + merge.deletionTimestamp() + " " + merge.deletionLocalTime());
        while (merge.nextUnfiltered()) {
          lines.add(text(merge.unfiltered()));
        }
      }
    }
    return lines;
  }

  private static String text(Unfiltered unfiltered) throws IOException {
    Clustering clustering = unfiltered.clustering();
    StringBuilder text = new StringBuilder(clustering.kind().toString());
    for (int i = 0; i < clustering.size(); i++) {
      append(text, clustering.bytes(), clustering.valueOffset(i), clustering.valueLength(i));
    }
    text.append(' ').append(unfiltered.deletionTimestamp());
    text.append('@').append(unfiltered.deletionLocalTime());
    if (unfiltered.isMarker()) {
      text.append(' ').append(unfiltered.openTimestamp());
      return text.append('@').append(unfiltered.openLocalTime()).toString();
    }
    text.append(" live ").append(unfiltered.livenessTimestamp());
    text.append(' ').append(unfiltered.livenessTtl());
    text.append('@').append(unfiltered.livenessExpirationTime());
    while (unfiltered.nextColumn()) {
      text.append(" | ").append(unfiltered.column().name());
      if (unfiltered.isComplex()) {
        text.append(' ').append(unfiltered.complexDeletionTimestamp());
        text.append('@').append(unfiltered.complexDeletionLocalTime());
      }
      while (unfiltered.nextCell()) {
        append(text, unfiltered.bytes(), unfiltered.pathOffset(), unfiltered.pathLength());
        text.append(" =");
        append(text, unfiltered.bytes(), unfiltered.valueOffset(), unfiltered.valueLength());
        text.append(' ').append(unfiltered.cellTimestamp());
        text.append(' ').append(unfiltered.cellTtl());
        text.append('@').append(unfiltered.cellLocalDeletionTime());
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, byte[] bytes, int offset, int length) {
    text.append(' ');
    if (length > 0) {
      text.append(HexFormat.of().formatHex(bytes, offset, offset + length));
    }
  }

  LiveTable only() {
    return set.live().tables().get(0);
  }

  @Override
  public void close() {
    set.close();
  }
}
