package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.compaction.report.JobReport;
import io.siltstone.compaction.task.TaskOptions.Kind;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodedUnfiltered;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.ModelTables;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableQuarantine;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * SSTables with valid checksums whose rows or markers are out of order, occur twice or do not pair:
 * compaction refuses them, and scrub keeps all of their data.
 */
class ScrubDisorderTest {
  private static final String CQL =
      "CREATE TABLE ks.t (k int, c int, s int static, v int, PRIMARY KEY (k, c))"
          + " WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4};";
  private static final long LATER = 1_000;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  /**
   * An item of a partition: a row, a static row or a marker.
   *
   * @param at its clustering; null for a bound of all rows
   * @param micros its timestamp, counted from {@link TaskTables#EPOCH}
   */
  private record Item(ClusteringKind kind, Integer at, long micros) {
    static Item row(int at, long micros) {
      return new Item(ClusteringKind.CLUSTERING, at, micros);
    }

    static Item row(int at) {
      return row(at, 100);
    }

    static Item ofStatic(long micros) {
      return new Item(ClusteringKind.STATIC_CLUSTERING, 0, micros);
    }

    static Item from(int at, long micros) {
      return new Item(ClusteringKind.INCL_START_BOUND, at, micros);
    }

    static Item to(int at, long micros) {
      return new Item(ClusteringKind.INCL_END_BOUND, at, micros);
    }
  }

  private static final Descriptor BAD = Descriptor.of(FormatVersion.OA, 1);

  private static RowEncoding encoding(TableSchema schema) {
    return RowEncoding.of(schema, new EncodingStats(TaskTables.EPOCH, TaskTables.NOW, 0), true);
  }

  /**
   * Opens a table of one SSTable, {@link #BAD}, whose partitions are written in the given order.
   */
  private TaskTables openWith(MemoryDirectory directory, List<List<Item>> content)
      throws IOException {
    RowEncoding encoding = encoding(SchemaParser.parse(CQL).onlyTable());
    SSTableWriterOptions options =
        SSTableWriterOptions.builder()
            .compression(
                CompressionOptions.fromMap(
                    Map.of("class", "LZ4Compressor", "chunk_length_in_kb", "4")))
            .columnIndexSizeBytes(1024)
            .build();
    try (SSTableWriter writer =
        ModelTables.unverifiedWriter(
            directory, BAD, encoding.header(), Partitioner.MURMUR3, options, leaks.memory())) {
      write(writer, encoding, IntStream.range(0, content.size()).boxed().toList(), content);
      writer.commit();
    }
    return TaskTables.open(CQL, directory, leaks.memory());
  }

  /** Writes a valid SSTable. */
  private static Descriptor write(TaskTables tables, List<Integer> keys, List<List<Item>> content)
      throws IOException {
    RowEncoding encoding = encoding(tables.schema());
    try (Claim claim = tables.set.beginFlush(CommitLogIntervals.NONE)) {
      SSTableWriter writer = claim.newOutput(OutputHints.of(encoding.header(), 100));
      write(writer, encoding, keys, content);
      claim.commit();
      return writer.descriptor();
    }
  }

  /** Writes partitions in the order of their tokens. */
  private static void write(
      SSTableWriter writer, RowEncoding encoding, List<Integer> keys, List<List<Item>> content)
      throws IOException {
    UnfilteredEncoder encoder = new UnfilteredEncoder(encoding);
    Unfiltered view = new Unfiltered(encoding, (index, reason) -> new IOException(reason));
    for (int i : keys.stream().sorted((a, b) -> key(a).compareTo(key(b))).toList()) {
      writer.startPartition(key(i), DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
      for (Item item : content.get(i)) {
        encode(item, encoding, encoder).wrapWith(view);
        writer.add(view);
      }
      writer.endPartition();
    }
  }

  private static EncodedUnfiltered encode(
      Item item, RowEncoding encoding, UnfilteredEncoder encoder) {
    long timestamp = TaskTables.EPOCH + item.micros();
    if (item.kind().isMarker()) {
      return encoder.marker(
          clustering(item.kind(), item.at(), encoding),
          timestamp,
          TaskTables.NOW,
          timestamp + (item.kind().isBoundary() ? 1 : 0),
          TaskTables.NOW,
          0);
    }
    if (item.kind() == ClusteringKind.STATIC_CLUSTERING) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      encoder.clustering(clustering(item.kind(), item.at(), encoding));
      encoder.liveness(timestamp, DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME);
      encoder.deletion(DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME, false);
    }
    byte[] value = bytes((int) item.micros());
    encoder.column(0);
    encoder.cell(
        timestamp,
        DeletionTime.NO_TTL,
        DeletionTime.NO_DELETION_TIME,
        new byte[0],
        0,
        0,
        value,
        0,
        value.length);
    return encoder.finish(0);
  }

  private static Clustering clustering(ClusteringKind kind, Integer at, RowEncoding encoding) {
    return Clustering.of(kind, encoding, at == null ? List.of() : List.of(bytes(at)));
  }

  private static byte[] bytes(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }

  private static PartitionKey key(int k) {
    return PartitionKey.of(bytes(k), Partitioner.MURMUR3.token(bytes(k), 0, Integer.BYTES));
  }

  /** Returns the merged content of SSTables of one item each. */
  private List<String> together(List<List<Item>> content) throws IOException {
    try (TaskTables tables = TaskTables.open(CQL, new MemoryDirectory(), leaks.memory())) {
      for (int k = 0; k < content.size(); k++) {
        List<Item> items = content.get(k);
        for (int i = 0; i < items.size(); i++) {
          Item item = items.get(i);
          List<Item> only = new ArrayList<>(List.of(item));
          if (item.kind().isMarker()) {
            only.add(items.get(++i));
            while (!only.get(1).kind().isMarker()) {
              throw new IllegalArgumentException("ranges of this test have no rows within");
            }
          }
          List<List<Item>> alone = new ArrayList<>(Collections.nCopies(content.size(), List.of()));
          alone.set(k, only);
          write(tables, List.of(k), alone);
        }
      }
      return tables.content();
    }
  }

  private static List<Item> rows(int... clusterings) {
    return IntStream.of(clusterings).mapToObj(Item::row).toList();
  }

  private static JobReport scrub(TaskTables tables) throws IOException {
    JobReport report = tables.compact(tables.live(), tables.options(0).kind(Kind.SCRUB).build());
    verify(tables);
    return report;
  }

  private static void verify(TaskTables tables) throws IOException {
    try (Claim claim = tables.set.claim(tables.live()).orElseThrow()) {
      for (SSTable output : claim.inputs()) {
        new SSTableVerifier(output).verify(position -> {});
      }
    }
  }

  private void assertCompactionRefuses(List<List<Item>> content) throws IOException {
    try (TaskTables tables = openWith(new MemoryDirectory(), content)) {
      assertCompactionRefuses(tables);
    }
  }

  private static void assertCompactionRefuses(TaskTables tables) throws IOException {
    Descriptor good = write(tables, List.of(0), List.of(rows(1)));
    Set<Descriptor> live = tables.live();
    for (Kind kind : List.of(Kind.MERGE, Kind.REWRITE, Kind.GARBAGE_COLLECT)) {
      assertThatThrownBy(
              () -> tables.compact(Set.of(BAD, good), tables.options(0).kind(kind).build()))
          .isInstanceOf(CorruptSSTableException.class)
          .hasMessageContaining(BAD + "-Data.db")
          .hasMessageContaining("scrub");
    }
    assertThat(tables.live()).isEqualTo(live);
  }

  /** Scrubs, and compares with the merge of the single rows. */
  private JobReport assertNothingIsLost(List<List<Item>> content) throws IOException {
    List<String> expected = together(content);
    MemoryDirectory disk = new MemoryDirectory();
    try (TaskTables tables = openWith(disk, content)) {
      assertThatThrownBy(tables::content).isInstanceOf(CorruptSSTableException.class);
      JobReport report = scrub(tables);
      assertThat(report.losses()).isEmpty();
      assertThat(tables.live()).doesNotContain(BAD);
      assertThat(tables.content()).isEqualTo(expected);
      assertThat(disk.directories()).doesNotContain(SSTableQuarantine.DIRECTORY);
      // Compaction accepts what scrub has written.
      tables.compact(tables.live(), tables.options(0).build());
      assertThat(tables.content()).isEqualTo(expected);
      return report;
    }
  }

  @Test
  void compactionRefusesRowsOutOfOrderAndNamesTheFile() throws IOException {
    assertCompactionRefuses(List.of(rows(1, 2, 0, 4, 5, 6, 7)));
  }

  @Test
  void compactionRefusesARowThatIsThereTwice() throws IOException {
    assertCompactionRefuses(List.of(rows(1, 2, 2, 3)));
  }

  @Test
  void compactionRefusesMarkersThatDoNotPair() throws IOException {
    assertCompactionRefuses(List.of(List.of(Item.from(1, 5), Item.from(3, 5), Item.to(4, 5))));
  }

  @Test
  void oneMisplacedRowOfSevenIsKeptWithTheOthers() throws IOException {
    JobReport report = assertNothingIsLost(List.of(rows(1, 2, 0, 4, 5, 6, 7)));
    assertThat(report.read().rows()).isEqualTo(7);
    assertThat(report.written().rows()).isEqualTo(7);
    assertThat(report.outputs()).hasSize(2);
  }

  @Test
  void oneMisplacedRowOfTwoThousandIsTheOnlyOneThatMoves() throws IOException {
    for (int as : new int[] {0, 1_000_000}) {
      int[] clusterings = IntStream.rangeClosed(1, 2_000).map(i -> 10 * i).toArray();
      clusterings[1_140] = as;

      MemoryDirectory directory = new MemoryDirectory();
      try (TaskTables tables = openWith(directory, List.of(rows(clusterings)))) {
        JobReport report = scrub(tables);
        assertThat(report.losses()).isEmpty();
        assertThat(tables.set.live().tables().stream().map(table -> table.rows()))
            .containsExactlyInAnyOrder(1_999L, 1L);
      }
    }
  }

  @Test
  void rowsInReverseOrderAreKept() throws IOException {
    assertNothingIsLost(List.of(rows(IntStream.range(0, 300).map(i -> 300 - i).toArray())));
  }

  @Test
  void duplicateRowsBecomeTheOneThatAReadWouldShow() throws IOException {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      items.add(Item.row(5, (37 * i) % 100));
    }
    assertNothingIsLost(List.of(items));
  }

  /** The writer would refuse it, so the bytes of a row are replaced. */
  @Test
  void aStaticRowAmongRowsIsKept() throws IOException {
    String cql =
        "CREATE TABLE ks.t (k int, c int, s blob static, v blob, PRIMARY KEY (k, c))"
            + " WITH compression = {'enabled': 'false'};";
    for (int place = 0; place < 3; place++) {
      MemoryDirectory directory = new MemoryDirectory();
      Descriptor bad;
      try (TaskTables tables = TaskTables.open(cql, directory, leaks.memory())) {
        bad =
            tables.flush(
                writes -> {
                  for (int c = 0; c < 3; c++) {
                    int row = c;
                    writes.at(100, 1, b -> b.insert(row).set("v", ByteBuffer.allocate(40)));
                  }
                  writes.at(100, 1, b -> b.set("s", ByteBuffer.allocate(3)));
                });
        try (Claim claim = tables.set.claim(Set.of(bad)).orElseThrow();
            DataCursor data = claim.inputs().get(0).scan()) {
          data.nextPartition();
          for (int i = 0; i <= place + 1; i++) {
            data.nextUnfiltered();
          }
          byte[] row = staticRow(data.encoding(), data.position() - data.unfilteredPosition());
          replace(directory, bad.fileName(Component.DATA), data.unfilteredPosition(), row);
        }
        directory.delete(bad.fileName(Component.CRC));
        directory.delete(bad.fileName(Component.TOC));
      }
      try (TaskTables tables = TaskTables.open(cql, directory, leaks.memory())) {
        assertThatThrownBy(tables::content)
            .isInstanceOf(CorruptSSTableException.class)
            .hasMessageContaining("a static row among rows");
        assertThat(scrub(tables).losses()).isEmpty();
        List<String> content = tables.content();
        assertThat(content).filteredOn(line -> line.startsWith("CLUSTERING")).hasSize(2);
        // The later of the two.
        assertThat(content)
            .filteredOn(line -> line.startsWith("STATIC"))
            .singleElement()
            .asString()
            .contains(Long.toString(TaskTables.EPOCH + 200));
      }
    }
  }

  /** A static row with as many bytes. */
  private static byte[] staticRow(RowEncoding encoding, long length) {
    UnfilteredEncoder encoder = new UnfilteredEncoder(encoding);
    for (int bytes = 0; bytes < length; bytes++) {
      encoder.beginStaticRow();
      encoder.column(0);
      encoder.cell(
          TaskTables.EPOCH + 200,
          DeletionTime.NO_TTL,
          DeletionTime.NO_DELETION_TIME,
          new byte[0],
          0,
          0,
          new byte[bytes],
          0,
          bytes);
      EncodedUnfiltered encoded = encoder.finish(0);
      if (encoded.length() == length) {
        return Arrays.copyOf(encoded.bytes(), encoded.length());
      }
    }
    throw new IllegalStateException("no static row has " + length + " bytes");
  }

  private static void replace(MemoryDirectory directory, String name, long at, byte[] bytes)
      throws IOException {
    ByteBuffer all = ByteBuffer.allocate((int) directory.length(name));
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      file.readFully(0, all);
    }
    all.put((int) at, bytes);
    directory.delete(name);
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(all.rewind());
      file.sync();
    }
  }

  @Test
  void moreRowsThanFitInMemoryGoToSeveralSSTables() throws IOException {
    int[] reversed = IntStream.range(0, 1_000).map(i -> 1_000 - i).toArray();
    try (TaskTables tables = openWith(new MemoryDirectory(), List.of(rows(reversed)))) {
      Set<Long> rows = new java.util.TreeSet<>();
      try (Claim claim = tables.set.claim(Set.of(BAD)).orElseThrow()) {
        SSTable input = claim.inputs().get(0);
        StageCounters.Flow written = new StageCounters.Flow();
        List<SSTableWriter> writers = new ArrayList<>();
        OutOfOrderRows.Outputs outputSSTables =
            new OutOfOrderRows.Outputs() {
              @Override
              public SSTableWriter next() throws IOException {
                SSTableWriter writer = claim.newOutput(OutputHints.of(input.header(), 1));
                writers.add(writer);
                return writer;
              }

              @Override
              public void done(SSTableWriter writer) throws IOException {
                writer.finish();
                rows.add(writer.rows());
              }
            };
        OutOfOrderRows late = new OutOfOrderRows(input, written, outputSSTables, 30_000);
        try (var data = input.scan()) {
          data.allowDisorder();
          data.nextPartition();
          while (data.nextUnfiltered()) {
            late.add(data.key(), data.unfiltered());
          }
          late.flush();
        }
        assertThat(writers).hasSizeGreaterThan(5);
        assertThat(written.rows).isEqualTo(1_000);
        assertThat(rows).allMatch(count -> count < 200);
        claim.commit();
      }
      verify(tables);
      assertThat(tables.content())
          .isEqualTo(together(List.of(rows(IntStream.rangeClosed(1, 1_000).toArray()))));
    }
  }

  /** Random partitions of rows, static rows and whole ranges, in random order. */
  @Test
  void whateverTheOrderNothingIsLost() throws IOException {
    long seed = Long.getLong("siltstone.seed", System.nanoTime());
    for (int round = 0; round < 6 * Integer.getInteger("siltstone.scale", 1); round++) {
      Random random = new Random(seed + round);
      List<List<Item>> content = new ArrayList<>();
      for (int k = 0; k < 5; k++) {
        List<List<Item>> pieces = new ArrayList<>();
        if (random.nextBoolean()) {
          pieces.add(List.of(Item.ofStatic(random.nextInt(50))));
        }
        for (int i = random.nextInt(40); i >= 0; i--) {
          int at = random.nextInt(20);
          long micros = random.nextInt(50);
          pieces.add(
              switch (random.nextInt(12)) {
                case 0, 1 ->
                    List.of(Item.from(at, micros), Item.to(at + random.nextInt(5), micros));
                default -> List.of(Item.row(at, micros));
              });
        }
        content.add(pieces.stream().flatMap(List::stream).toList());
      }
      // At least one row is out of order.
      content.add(rows(2, 1));
      MemoryDirectory directory = new MemoryDirectory();
      try (TaskTables tables = openWith(directory, content)) {
        JobReport report = scrub(tables);
        List<String> kept = rowsOf(tables.content());
        assertThat(kept).as("seed %s", seed + round).containsAll(rowsOf(together(content)));
        if (report.losses().isEmpty()) {
          assertThat(tables.content()).as("seed %s", seed + round).isEqualTo(together(content));
        }
      }
    }
  }

  private static List<String> rowsOf(List<String> content) {
    return content.stream().filter(line -> !line.contains("BOUND")).toList();
  }

  private List<String> scrubbed(List<Item> items, String... remarks) throws IOException {
    MemoryDirectory directory = new MemoryDirectory();
    try (TaskTables tables = openWith(directory, List.of(items))) {
      JobReport report = scrub(tables);
      assertThat(report.losses()).hasSize(remarks.length);
      for (int i = 0; i < remarks.length; i++) {
        assertThat(report.losses().get(i)).contains(remarks[i]);
      }
      assertThat(directory.directories().contains(SSTableQuarantine.DIRECTORY))
          .isEqualTo(remarks.length > 0);
      List<String> lines = new ArrayList<>();
      for (String line : tables.content()) {
        if (!line.startsWith("key")) {
          lines.add(
              line.replaceAll("^(\\S+)(?: (\\p{XDigit}{8}))? .*", "$1 $2")
                  .replace(" 0000000", " ")
                  .strip());
        }
      }
      return lines;
    }
  }

  @Test
  void aRangeWithoutAnEndReachesToWhereTheNextBegins() throws IOException {
    assertThat(
            scrubbed(
                List.of(
                    Item.row(1, LATER),
                    Item.from(2, 50),
                    Item.row(3, LATER),
                    Item.from(5, 60),
                    Item.to(6, 60)),
                "timestamp 1700000000000050 has no end, and is assumed to end where another begins"))
        .containsExactly(
            "CLUSTERING 1",
            "INCL_START_BOUND 2",
            "CLUSTERING 3",
            "EXCL_END_INCL_START_BOUNDARY 5",
            "INCL_END_BOUND 6");
  }

  @Test
  void aRangeWithoutAnEndReachesToTheEndOfThePartition() throws IOException {
    assertThat(
            scrubbed(
                List.of(Item.row(1, 10), Item.from(2, 50), Item.row(3, LATER)),
                "is assumed to end with the partition"))
        .containsExactly("CLUSTERING 1", "INCL_START_BOUND 2", "CLUSTERING 3", "INCL_END_BOUND");
  }

  @Test
  void aRangeWithoutAnEndDeletesNoRowOfTheFile() throws IOException {
    assertThat(
            scrubbed(
                List.of(Item.from(2, 50), Item.row(3, LATER), Item.row(4, 40), Item.row(5, LATER)),
                "is assumed to end before the first row that it would have deleted"))
        .containsExactly(
            "INCL_START_BOUND 2",
            "CLUSTERING 3",
            "EXCL_END_BOUND 4",
            "CLUSTERING 4",
            "CLUSTERING 5");
  }

  @Test
  void aRangeWithoutABeginningBeginsWithThePartition() throws IOException {
    assertThat(
            scrubbed(
                List.of(Item.row(1, LATER), Item.to(3, 50), Item.row(4, 10)),
                "has no beginning, and is assumed to begin with the partition"))
        .containsExactly("INCL_START_BOUND", "CLUSTERING 1", "INCL_END_BOUND 3", "CLUSTERING 4");
  }

  @Test
  void aRangeWithoutABeginningDeletesNoRowOfTheFile() throws IOException {
    assertThat(
            scrubbed(
                List.of(Item.row(1, 10), Item.row(2, LATER), Item.to(3, 50), Item.row(4, 10)),
                "has no beginning, and is assumed to begin after the row before its end"))
        .containsExactly(
            "CLUSTERING 1",
            "CLUSTERING 2",
            "EXCL_START_BOUND 2",
            "INCL_END_BOUND 3",
            "CLUSTERING 4");
  }

  @Test
  void aBeginningOutOfOrderIsWhereItStandsInTheFile() throws IOException {
    assertThat(
            scrubbed(
                List.of(Item.row(4, 10), Item.from(0, 50), Item.row(6, LATER), Item.to(7, 50)),
                "begins out of order, and is assumed to begin after the previous row or marker"))
        .containsExactly("CLUSTERING 4", "EXCL_START_BOUND 4", "CLUSTERING 6", "INCL_END_BOUND 7");
  }

  @Test
  void aRangeThatIsOutOfOrderAsAWholeIsKeptAsItStands() throws IOException {
    assertThat(
            scrubbed(
                List.of(Item.row(4, 10), Item.from(1, 50), Item.to(2, 50), Item.row(6, 10)),
                "begins out of order, and is kept unchanged"))
        .containsExactly("INCL_START_BOUND 1", "INCL_END_BOUND 2", "CLUSTERING 4", "CLUSTERING 6");
  }

  @Test
  void anEndOutOfOrderLiesBeforeWhatStandsBehindItInTheFile() throws IOException {
    assertThat(
            scrubbed(
                List.of(Item.from(4, 50), Item.row(6, LATER), Item.to(2, 50), Item.row(9, 10)),
                "ends out of order, and is assumed to end before the next row or marker"))
        .containsExactly("INCL_START_BOUND 4", "CLUSTERING 6", "EXCL_END_BOUND 9", "CLUSTERING 9");
  }

  @Test
  void rangesAroundMisplacedRowsStayAsTheyAre() throws IOException {
    assertThat(
            scrubbed(
                List.of(
                    Item.row(1, 10),
                    Item.from(2, 50),
                    Item.row(4, LATER),
                    Item.row(0, LATER),
                    Item.to(5, 50),
                    Item.row(6, 10))))
        .containsExactly(
            "CLUSTERING 0",
            "CLUSTERING 1",
            "INCL_START_BOUND 2",
            "CLUSTERING 4",
            "INCL_END_BOUND 5",
            "CLUSTERING 6");
  }
}
