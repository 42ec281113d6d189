package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bytes.BigEndian;
import io.siltstone.compaction.report.JobReport;
import io.siltstone.compaction.task.TaskOptions.Kind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableQuarantine;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.Records;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The readable data of a damaged SSTable is saved; lost data is reported, and the files are kept.
 */
class ScrubTest {
  private static final int KEYS = 40;
  private static final int ROWS = 30;
  private static final String PLAIN =
      TaskTables.CQL.replace(
          "'class': 'LZ4Compressor', 'chunk_length_in_kb': 4", "'enabled': 'false'");

  private static final String TRAINED =
      TaskTables.CQL.replace(
          "'class': 'LZ4Compressor', 'chunk_length_in_kb': 4",
          "'class': 'ZstdDictionaryCompressor', 'chunk_length_in_kb': 1,"
              + " 'training_max_dictionary_size': '1KiB'");

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryDirectory disk = new MemoryDirectory();

  private TaskTables open() throws IOException {
    return TaskTables.open(disk, leaks.memory());
  }

  /** Partitions of several rows and a range tombstone over some of them, in 4 KiB chunks. */
  private static Descriptor fill(TaskTables tables) throws IOException {
    return fill(tables, RepairState.UNREPAIRED);
  }

  private static Descriptor fill(TaskTables tables, RepairState repair) throws IOException {
    Random random = new Random(1);
    return tables.flush(
        repair,
        writes -> {
          for (int key = 0; key < KEYS; key++) {
            for (int c = 0; c < ROWS; c++) {
              int row = c;
              String value = Long.toHexString(random.nextLong());
              writes.at(100, key, b -> b.insert(row).set("v", value));
            }
            writes.at(50, key, b -> b.deleteRange(ClusteringRange.all().after(3).to(25)));
          }
        });
  }

  private static List<String> keys(List<String> content) {
    return content.stream().filter(line -> line.startsWith("key ")).toList();
  }

  /** Changes a file in place. */
  private void change(String name, java.util.function.Consumer<byte[]> change) throws IOException {
    byte[] bytes = bytes(disk, name);
    change.accept(bytes);
    replace(disk, name, bytes);
  }

  private static void replace(Directory directory, String name, byte[] bytes) throws IOException {
    directory.delete(name);
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
  }

  private static byte[] bytes(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) file.length());
      file.read(0, buffer);
      return buffer.array();
    }
  }

  private JobReport scrub(TaskTables tables) throws IOException {
    JobReport report = tables.compact(tables.live(), tables.options(0).kind(Kind.SCRUB).build());
    if (!tables.live().isEmpty()) {
      try (Claim claim = tables.set.claim(tables.live()).orElseThrow()) {
        for (SSTable output : claim.inputs()) {
          new SSTableVerifier(output).verify(position -> {});
        }
      }
    }
    return report;
  }

  @Test
  void whatIsNotDamagedIsWrittenAsItIs() throws IOException {
    try (TaskTables tables = open()) {
      fill(tables);
      List<String> content = tables.content();
      JobReport report = scrub(tables);
      assertThat(report.losses()).isEmpty();
      assertThat(report.written().rows()).isEqualTo(KEYS * ROWS);
      assertThat(tables.content()).isEqualTo(content);
      assertThat(disk.directories()).doesNotContain(SSTableQuarantine.DIRECTORY);
    }
  }

  /** A compression dictionary is trained with the data of the inputs, also of a scrub. */
  @Test
  void damageDoesNotKeepAScrubFromChoosingADictionary() throws IOException {
    for (boolean isDamaged : new boolean[] {false, true}) {
      MemoryDirectory directory = new MemoryDirectory();
      Descriptor flushed;
      try (TaskTables tables =
          TaskTables.open(TRAINED, FormatVersion.PA, directory, leaks.memory())) {
        flushed = fill(tables);
      }
      if (isDamaged) {
        String data = flushed.fileName(Component.DATA);
        byte[] bytes = bytes(directory, data);
        bytes[bytes.length / 2] ^= 0x10;
        replace(directory, data, bytes);
      }
      try (TaskTables tables =
          TaskTables.open(TRAINED, FormatVersion.PA, directory, leaks.memory())) {
        assertThat(scrub(tables).losses().isEmpty()).isEqualTo(!isDamaged);
        assertThat(tables.set.live().tables())
            .filteredOn(each -> each.compression().dictionary() != null)
            .as("a dictionary was trained")
            .hasSize(isDamaged ? 0 : 1);
        try (Claim claim = tables.set.claim(tables.live()).orElseThrow()) {
          SSTable output = claim.inputs().get(0);
          assertThat(output.mostOnDisk(tables.schema().options().compression()))
              .as("the space that a job reserves")
              .isEqualTo(output.onDiskLength());
        }
      }
    }
  }

  @Test
  void whatHasLostSomethingIsNotRepairedAnyMore() throws IOException {
    for (boolean isDamaged : new boolean[] {false, true}) {
      MemoryDirectory directory = new MemoryDirectory();
      Descriptor repaired;
      try (TaskTables tables = TaskTables.open(directory, leaks.memory())) {
        repaired = fill(tables, new RepairState(7, Optional.empty(), false));
      }
      if (isDamaged) {
        String data = repaired.fileName(Component.DATA);
        byte[] bytes = bytes(directory, data);
        bytes[bytes.length / 2] ^= 0x10;
        replace(directory, data, bytes);
      }
      try (TaskTables tables = TaskTables.open(directory, leaks.memory())) {
        assertThat(scrub(tables).losses().isEmpty()).isEqualTo(!isDamaged);
        assertThat(tables.only().repair().repairedAt()).isEqualTo(isDamaged ? 0 : 7);
      }
    }
  }

  @Test
  void partitionsWithoutRowsThatAreCutOffAreToldAndWhatIsLeftIsNotRepaired() throws IOException {
    Descriptor cut;
    long half;
    try (TaskTables tables = TaskTables.open(PLAIN, disk, leaks.memory())) {
      cut =
          tables.flush(
              new RepairState(7, Optional.empty(), false),
              writes -> {
                for (int key = 0; key < KEYS; key++) {
                  writes.at(100, key, MutationBuilder::deletePartition);
                }
              });
      half = tables.only().dataBytes() / 2;
    }
    String data = cut.fileName(Component.DATA);
    byte[] whole = bytes(disk, data);
    replace(disk, data, Arrays.copyOf(whole, (int) half));
    removeChecksums(cut);
    try (TaskTables tables = TaskTables.openForSalvage(disk, leaks.memory())) {
      JobReport report = scrub(tables);
      assertThat(report.losses())
          .singleElement()
          .asString()
          .contains(KEYS / 2 + " partitions and 0 rows were read")
          .contains("state " + KEYS + " and 0");
      assertThat(tables.only().partitions()).isEqualTo(KEYS / 2);
      assertThat(tables.only().repair().repairedAt()).isZero();
      assertThat(SSTableQuarantine.fileNames(disk)).contains(data);
    }
  }

  @Test
  void whatIsCountedOtherwiseIsNotRepairedAnyMore() throws IOException {
    Descriptor counted;
    try (TaskTables tables = open()) {
      counted = fill(tables, new RepairState(7, Optional.empty(), false));
    }
    countMore(-5, counted, disk);
    try (TaskTables tables = open()) {
      assertThat(scrub(tables).losses()).hasSize(1);
      assertThat(tables.only().repair().repairedAt()).isZero();
    }
  }

  /** As Cassandra's scrub counts rows when it discards a partition in the middle. */
  @Test
  void rowsThatTheStatisticsMadeUpAreCountedAnew() throws IOException {
    for (Kind kind : List.of(Kind.MERGE, Kind.SCRUB)) {
      MemoryDirectory directory = new MemoryDirectory();
      countMore(5, directory);
      try (TaskTables tables = TaskTables.open(directory, leaks.memory())) {
        List<String> content = tables.content();
        JobReport report = tables.compact(tables.live(), tables.options(0).kind(kind).build());
        assertThat(report.losses()).isEmpty();
        assertThat(tables.content()).isEqualTo(content);
      }
    }
  }

  @Test
  void rowsThatTheStatisticsDoNotCountAreRefusedUntilTheyAreCountedAnew() throws IOException {
    Descriptor counted = countMore(-5, disk);
    try (TaskTables tables = open()) {
      List<String> content = tables.content();
      Set<Descriptor> both = tables.live();
      // Only the SSTable whose statistics are wrong is named.
      assertThatThrownBy(() -> tables.compact(both, tables.options(0).build()))
          .isInstanceOfSatisfying(
              CompactionCheckException.class, e -> assertThat(e.tables()).containsExactly(counted))
          .hasMessageContaining((KEYS * ROWS - 5) + " rows; nothing was changed, a scrub rewrites");
      assertThat(tables.live()).isEqualTo(both);

      scrub(tables);
      assertThat(tables.content()).isEqualTo(content);
      tables.compact(tables.live(), tables.options(0).build());
      assertThat(tables.content()).isEqualTo(content);
    }
  }

  /** Makes two SSTables; the statistics of the returned one count this many rows too many. */
  private Descriptor countMore(long more, MemoryDirectory directory) throws IOException {
    Descriptor counted;
    try (TaskTables tables = TaskTables.open(directory, leaks.memory())) {
      counted = fill(tables);
      tables.flush(writes -> writes.at(1, KEYS, b -> b.insert(1)));
    }
    countMore(more, counted, directory);
    return counted;
  }

  private static void countMore(long more, Descriptor counted, MemoryDirectory directory)
      throws IOException {
    String name = counted.fileName(Component.STATISTICS);
    Statistics statistics = Statistics.read(directory, name, counted.version());
    directory.delete(name);
    long rows = statistics.stats().totalRows();
    statistics
        .withStats(Records.with(statistics.stats(), "rows", rows + more))
        .write(directory, name, counted.version(), WriteIntent.OTHER);
  }

  /** As Cassandra's scrub leaves the statistics when it discards a partition in the middle. */
  @Test
  void checksumsThatDoNotFitCostNothing() throws IOException {
    Descriptor table;
    try (TaskTables tables = TaskTables.open(PLAIN, disk, leaks.memory())) {
      table = fill(tables);
    }
    String name = table.fileName(Component.CRC);
    byte[] checksums = bytes(disk, name);
    replace(disk, name, Arrays.copyOf(checksums, checksums.length + 2 * Integer.BYTES));
    byte[] surplus = bytes(disk, name);
    surplus[surplus.length - 1] = 1;
    replace(disk, name, surplus);
    assertThatThrownBy(this::open).isInstanceOf(CorruptSSTableException.class);
    try (TaskTables tables = TaskTables.openForSalvage(disk, leaks.memory())) {
      JobReport report = scrub(tables);
      assertThat(report.written().rows()).isEqualTo(KEYS * ROWS);
      // Data that was not compared is kept.
      assertThat(report.losses()).singleElement().asString().contains("was read without checksums");
      assertThat(SSTableQuarantine.fileNames(disk)).contains(name);
    }
  }

  @Test
  void oneDamagedChunkCostsThePartitionsInItAndNoOthers() throws IOException {
    for (int at = 0; at < 10; at++) {
      MemoryDirectory before = new MemoryDirectory();
      Descriptor damaged;
      List<String> content;
      try (TaskTables tables = TaskTables.open(before, leaks.memory())) {
        damaged = fill(tables);
        content = tables.content();
      }
      String data = damaged.fileName(Component.DATA);
      byte[] original = bytes(before, data);
      original[original.length * at / 10 + 7] ^= 0x10;
      replace(before, data, original);
      try (TaskTables tables = TaskTables.open(before, leaks.memory())) {
        JobReport report = scrub(tables);
        List<String> left = tables.content();
        assertThat(report.losses()).isNotEmpty().allMatch(loss -> loss.contains(data));
        assertThat(report.losses().toString()).contains("is lost");
        // Nothing of other chunks is lost: neither rows nor the beginnings of partitions.
        assertThat(keys(left).size()).isGreaterThanOrEqualTo(KEYS - 7);
        List<String> made = new ArrayList<>(left);
        made.removeAll(content);
        // New items: the ends of a range that was cut.
        assertThat(made.size()).isLessThanOrEqualTo(2 * report.losses().size());
        assertThat(made)
            .allMatch(
                line -> line.startsWith("INCL_END_BOUND") || line.startsWith("EXCL_START_BOUND"));
        assertThat(left.size()).isGreaterThan(content.size() * 3 / 4);
        Directory aside = before.directory(SSTableQuarantine.DIRECTORY).directory("1");
        assertThat(bytes(aside, data)).isEqualTo(original);
        assertThat(aside.files()).contains(damaged.fileName(Component.PRIMARY_INDEX));
        assertThat(before.files()).doesNotContain(data);
      }
    }
  }

  @Test
  void whatLiesBeforeACutIsSaved() throws IOException {
    Descriptor cut;
    List<String> content;
    try (TaskTables tables = open()) {
      cut = fill(tables);
      content = tables.content();
    }
    String data = cut.fileName(Component.DATA);
    disk.truncate(data, disk.length(data) / 2);
    assertThatThrownBy(this::open).isInstanceOf(CorruptSSTableException.class);
    try (TaskTables tables = TaskTables.openForSalvage(disk, leaks.memory())) {
      JobReport report = scrub(tables);
      assertThat(report.losses()).isNotEmpty().anyMatch(loss -> loss.contains("file ends"));
      // Partitions of the index that are lost as a whole are reported, too.
      assertThat(report.losses())
          .anyMatch(loss -> loss.contains("the partition of key ") && !loss.contains("0x"));
      List<String> left = tables.content();
      assertThat(keys(left)).hasSizeGreaterThan(KEYS / 3);
      assertThat(content).containsAll(keys(left));
      assertThat(SSTableQuarantine.fileNames(disk)).contains(data);
    }
  }

  /** The table's crc_check_chance is for reads: wrong data would get valid checksums. */
  @Test
  void allChecksumsAreComparedHoweverSeldomReadsDoIt() throws IOException {
    Descriptor damaged;
    try (TaskTables tables = open()) {
      damaged = fill(tables);
    }
    String data = damaged.fileName(Component.DATA);
    // The checksum of the last chunk is wrong; the chunk itself is unchanged.
    change(data, bytes -> bytes[bytes.length - 1] ^= 1);
    try (TaskTables tables = TaskTables.openUnchecked(disk, leaks.memory())) {
      assertThat(scrub(tables).losses()).isNotEmpty().anyMatch(loss -> loss.contains("checksum"));
    }
  }

  @Test
  void damageBeforeTheFirstIndexBlockCostsNoRow() throws IOException {
    String cql = TaskTables.CQL.replace("s int static", "s text static");
    // In the partition's head, and in a static row of several chunks after it.
    for (int place : new int[] {20, 10_000}) {
      MemoryDirectory directory = new MemoryDirectory();
      Descriptor damaged;
      List<String> rows;
      try (TaskTables tables = TaskTables.open(cql, directory, leaks.memory())) {
        damaged = fillBehindLargeStatics(tables);
        rows = rows(tables.content());
      }
      byte[] data = bytes(directory, damaged.fileName(Component.DATA));
      data[place] ^= 1;
      replace(directory, damaged.fileName(Component.DATA), data);
      try (TaskTables tables = TaskTables.open(cql, directory, leaks.memory())) {
        JobReport report = scrub(tables);
        assertThat(report.losses())
            .singleElement()
            .asString()
            .contains("what is after 0 rows and markers", "its next readable index block is at");
        assertThat(rows(tables.content())).isEqualTo(rows);
      }
    }
  }

  private static Descriptor fillBehindLargeStatics(TaskTables tables) throws IOException {
    Random random = new Random(1);
    byte[] statics = new byte[10_000];
    random.nextBytes(statics);
    return tables.flush(
        writes -> {
          writes.at(100, 1, b -> b.set("s", HexFormat.of().formatHex(statics)));
          for (int c = 0; c < 500; c++) {
            int row = c;
            String value = Long.toHexString(random.nextLong());
            writes.at(100, 1, b -> b.insert(row).set("v", value));
          }
        });
  }

  private static List<String> rows(List<String> content) {
    return content.stream().filter(line -> line.startsWith("CLUSTERING ")).toList();
  }

  @Test
  void withoutAnIndexTheDataAloneTells() throws IOException {
    List<String> content;
    Descriptor damaged;
    try (TaskTables tables = open()) {
      damaged = fill(tables);
      content = tables.content();
    }
    // The key of an entry in the middle, whose position is wrong as well.
    change(
        damaged.fileName(Component.PRIMARY_INDEX),
        bytes -> Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 40, (byte) 0x7f));
    try (TaskTables tables = open()) {
      JobReport report = scrub(tables);
      assertThat(report.losses()).isEmpty();
      assertThat(tables.content()).isEqualTo(content);
    }
  }

  /**
   * Each component that can be rebuilt from the data: missing, truncated, with other bytes, empty
   * while there is no summary, and on a bad sector.
   */
  @Test
  void whatOnlyTellsOfTheDataIsMadeAnew() throws IOException {
    for (Component component :
        List.of(Component.PRIMARY_INDEX, Component.SUMMARY, Component.FILTER)) {
      for (int damage = 0; damage < 5; damage++) {
        MemoryDirectory before = new MemoryDirectory();
        Descriptor damaged;
        List<String> content;
        try (TaskTables tables = TaskTables.open(before, leaks.memory())) {
          damaged = fill(tables);
          content = tables.content();
        }
        String name = damaged.fileName(component);
        byte[] bytes = bytes(before, name);
        Directory disk = before;
        switch (damage) {
          case 0 -> before.delete(name);
          case 1 -> replace(before, name, Arrays.copyOf(bytes, bytes.length - 3));
          case 2 -> {
            Arrays.fill(bytes, (byte) 0x15);
            replace(before, name, bytes);
          }
          case 3 -> {
            replace(before, name, new byte[0]);
            String summary = damaged.fileName(Component.SUMMARY);
            if (before.exists(summary)) {
              before.delete(summary);
            }
          }
          default -> disk = BadSectors.in(before, name, Set.of(5L));
        }
        try (TaskTables tables = TaskTables.openForSalvage(disk, leaks.memory())) {
          assertThat(scrub(tables).losses()).isEmpty();
          assertThat(tables.content()).isEqualTo(content);
        }
        try (TaskTables tables = TaskTables.open(before, leaks.memory())) {
          assertThat(tables.content()).isEqualTo(content);
        }
      }
    }
  }

  /**
   * A read that fails once, at any place, while data and perhaps the index are damaged: the scrub
   * does what it does without the failure, or fails at its opening without a change.
   */
  @Test
  void readThatFailsOnceIsRepeated() throws IOException {
    for (boolean hasIndex : new boolean[] {true, false}) {
      Fault counter = Fault.on(Operation.READ).runs("counted", () -> {});
      MemoryDirectory whole = damaged(hasIndex);
      List<String> losses = scrubForSalvage(new FaultyDirectory(whole, 1, counter));
      List<String> content = content(whole);
      assertThat(losses).isNotEmpty();
      int failed = 0;
      int points = 30;
      for (int point = 0; point < points; point++) {
        long call = 1 + counter.calls() * point / points;
        Fault fault = Fault.on(Operation.READ).call(call).fails("bad sector");
        MemoryDirectory directory = damaged(hasIndex);
        List<String> files = directory.files();
        List<String> lost;
        try {
          lost = scrubForSalvage(new FaultyDirectory(directory, 1, fault));
        } catch (IOException e) {
          failed++;
          assertThat(e).as("read %s", call).hasMessageContaining("bad sector");
          assertThat(directory.files()).as("read %s", call).isEqualTo(files);
          lost = scrubForSalvage(directory);
        }
        assertThat(lost).as("read %s", call).isEqualTo(losses);
        assertThat(content(directory)).as("read %s", call).isEqualTo(content);
      }
      assertThat(failed).isLessThan(points / 2);
    }
  }

  private MemoryDirectory damaged(boolean hasIndex) throws IOException {
    MemoryDirectory directory = new MemoryDirectory();
    Descriptor damaged;
    try (TaskTables tables = TaskTables.open(directory, leaks.memory())) {
      damaged = fill(tables);
    }
    String data = damaged.fileName(Component.DATA);
    byte[] bytes = bytes(directory, data);
    bytes[bytes.length / 2] ^= 0x10;
    replace(directory, data, bytes);
    if (!hasIndex) {
      String index = damaged.fileName(Component.PRIMARY_INDEX);
      replace(directory, index, Arrays.copyOf(bytes(directory, index), 100));
    }
    return directory;
  }

  private List<String> scrubForSalvage(Directory directory) throws IOException {
    try (TaskTables tables = TaskTables.openForSalvage(directory, leaks.memory())) {
      return tables.compact(tables.live(), tables.options(0).kind(Kind.SCRUB).build()).losses();
    }
  }

  private List<String> content(Directory directory) throws IOException {
    try (TaskTables tables = TaskTables.open(directory, leaks.memory())) {
      return tables.content();
    }
  }

  @Test
  void statisticsOfAnotherTableAreNotBelieved() throws IOException {
    Descriptor damaged;
    Descriptor other;
    try (TaskTables tables = open()) {
      damaged = fill(tables);
      other = tables.flush(writes -> writes.at(1, KEYS + 1, b -> b.insert(1).set("v", "x")));
    }
    byte[] foreign = bytes(disk, other.fileName(Component.STATISTICS));
    String name = damaged.fileName(Component.STATISTICS);
    replace(disk, name, foreign);
    disk.delete(damaged.fileName(Component.PRIMARY_INDEX));
    assertThatThrownBy(() -> TaskTables.openForSalvage(disk, leaks.memory()))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("is of a table with another first key");
  }

  @Test
  void partitionsOutOfOrderAreWrittenToAnotherSSTable() throws IOException {
    Descriptor damaged;
    List<String> content;
    try (TaskTables tables = open()) {
      tables.alter("WITH compression = {'enabled': 'false'}");
      damaged =
          tables.flush(
              writes -> {
                for (int i = 0; i < 10; i++) {
                  int key = i;
                  writes.at(100, key, b -> b.insert(1).set("v", "same length"));
                }
              });
      content = tables.content();
    }
    // Two partitions swap places, with their keys.
    try (TaskTables tables = open();
        Claim claim = tables.set.claim(Set.of(damaged)).orElseThrow();
        DataCursor cursor = claim.inputs().get(0).scan()) {
      List<Integer> starts = new ArrayList<>();
      while (cursor.nextPartition()) {
        starts.add((int) cursor.partitionPosition());
        assertThat(cursor.deletionTimestamp()).isEqualTo(DeletionTime.NO_TIMESTAMP);
      }
      int length = starts.get(1);
      change(
          damaged.fileName(Component.DATA),
          bytes -> {
            byte[] third = Arrays.copyOfRange(bytes, 2 * length, 3 * length);
            System.arraycopy(bytes, 6 * length, bytes, 2 * length, length);
            System.arraycopy(third, 0, bytes, 6 * length, length);
          });
      removeChecksums(damaged);
    }
    try (TaskTables tables = open()) {
      JobReport report = scrub(tables);
      assertThat(report.losses()).isEmpty();
      assertThat(report.outputs().size()).isGreaterThan(1);
      assertThat(tables.content()).isEqualTo(content);
    }
  }

  private void removeChecksums(Descriptor of) throws IOException {
    disk.delete(of.fileName(Component.CRC));
    change(
        of.fileName(Component.TOC),
        bytes -> {
          String text = new String(bytes, java.nio.charset.StandardCharsets.US_ASCII);
          int at = text.indexOf("CRC.db");
          Arrays.fill(bytes, at, at + 6, (byte) ' ');
        });
  }

  /** Three partitions of a row; what precedes a number in the second is changed by one bit. */
  private void scrubWithout(int number, int before, int bit, String told) throws IOException {
    String cql =
        "CREATE TABLE ks.t (k int, c frozen<list<int>>, m map<int, int>, PRIMARY KEY (k, c))"
            + " WITH compression = {'enabled': 'false'};";
    Descriptor damaged;
    try (TaskTables tables = TaskTables.open(cql, disk, leaks.memory())) {
      damaged =
          tables.flush(
              writes -> {
                for (int i = 0; i < 3; i++) {
                  int key = i;
                  int base = key << 16;
                  writes.at(
                      1,
                      key,
                      b ->
                          b.insert(List.of(base + 0x0100_0001))
                              .set("m", Map.of(base + 0x0200_0001, 7, base + 0x0200_0002, 7)));
                }
              });
    }
    change(
        damaged.fileName(Component.DATA),
        bytes -> {
          int at = 0;
          while (BigEndian.getInt(bytes, at) != number) {
            at++;
          }
          bytes[at - before] ^= (byte) bit;
        });
    removeChecksums(damaged);
    try (TaskTables tables = TaskTables.open(cql, disk, leaks.memory())) {
      JobReport report = scrub(tables);
      assertThat(report.losses()).hasSize(1).allMatch(loss -> loss.contains(told));
      assertThat(keys(tables.content())).hasSize(2);
    }
  }

  @Test
  void aClusteringThatCannotBeComparedCostsItsPartition() throws IOException {
    // The length of the only element.
    scrubWithout(0x0101_0001, 4, 0x40, "has no order");
  }

  @Test
  void whatIsDamagedIsKeptIfItIsNotKnownWhetherItIsReplaced() throws IOException {
    Descriptor damaged;
    try (TaskTables tables = open()) {
      damaged = fill(tables);
    }
    String data = damaged.fileName(Component.DATA);
    change(data, bytes -> bytes[bytes.length / 2] ^= 1);
    byte[] original = bytes(disk, data);
    // The commit line is durable, but its write reports a failure, and it cannot be undone.
    Fault sync = Fault.on(Operation.SYNC).files("*.log").failsAfterwards("bad sector");
    Fault abort = Fault.on(Operation.CREATE).files("*.log.tmp").call(2).fails("bad sector");
    try (TaskTables tables =
        TaskTables.open(new FaultyDirectory(disk, 1, sync, abort), leaks.memory())) {
      assertThatThrownBy(() -> scrub(tables))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it is not known whether");
    }
    assertThat(abort.fired()).isEqualTo(1);
    try (TaskTables tables = open()) {
      assertThat(tables.live()).isNotEmpty().doesNotContain(damaged);
    }
    assertThat(disk.files()).doesNotContain(data);
    assertThat(bytes(disk.directory(SSTableQuarantine.DIRECTORY).directory("1"), data))
        .isEqualTo(original);
  }

  @Test
  void cellsOutOfOrderCostTheirPartition() throws IOException {
    // The last byte of the first path.
    scrubWithout(0x0201_0001, -3, 0x02, "are out of order");
  }

  @Test
  void anSSTableOfWhichNothingIsLeftIsKept() throws IOException {
    Descriptor damaged;
    try (TaskTables tables = open()) {
      damaged = tables.flush(writes -> writes.at(1, 1, b -> b.insert(1).set("v", "x")));
    }
    change(damaged.fileName(Component.DATA), bytes -> bytes[3] ^= 1);
    try (TaskTables tables = open()) {
      JobReport report = scrub(tables);
      assertThat(report.losses()).isNotEmpty();
      assertThat(report.outputs()).isEmpty();
      assertThat(tables.live()).isEmpty();
      assertThat(SSTableQuarantine.fileNames(disk)).contains(damaged.fileName(Component.DATA));
    }
  }
}
