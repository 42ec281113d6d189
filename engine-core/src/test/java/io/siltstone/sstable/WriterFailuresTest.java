package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Slice;
import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.model.TestKeys;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.MemoryReservation;
import io.siltstone.offheap.OffHeapBuffer;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.PowerCuts;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables when the power goes, a disk fails or is full, while they are written or read. */
class WriterFailuresTest {
  private static final long SEED = Long.getLong("siltstone.seed", 11);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final Descriptor DESCRIPTOR = Descriptor.of(FormatVersion.OA, 7);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final TableModel model = RandomPartitions.of(SEED, FormatVersion.OA, 12, 600);

  private static SSTableWriterOptions options(boolean compressed) {
    return SSTableWriterOptions.builder()
        .compression(
            compressed
                ? CompressionOptions.fromMap(
                    Map.of("class", "LZ4Compressor", "chunk_length_in_kb", "4"))
                : CompressionOptions.NONE)
        .columnIndexSizeBytes(1024)
        .minIndexInterval(2)
        .expectedPartitions(20)
        .build();
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void afterAPowerLossATableIsWhollyThereOrNotAtAll(FileSystemModel fileSystem) {
    PowerCuts.on(fileSystem, SEED)
        .lossesPerPoint(SCALE)
        .atMost(SCALE == 1 ? 10 : Integer.MAX_VALUE)
        .atEachOperation(() -> new Commit(SEED % 2 == 0));
    PowerCuts.on(fileSystem, SEED)
        .lossesPerPoint(SCALE)
        .atMost(SCALE == 1 ? 10 : Integer.MAX_VALUE)
        .atEachOperation(() -> new Commit(SEED % 2 != 0));
  }

  @Test
  void soItIsOnAnEncryptedDisk() {
    PowerCuts.on(FileSystemModel.UNORDERED, SEED)
        .lossesPerPoint(SCALE)
        .atMost(SCALE == 1 ? 8 : Integer.MAX_VALUE)
        .atEachOperation(
            () ->
                new PowerCuts.Case() {
                  private final Commit commit = new Commit(true);

                  @Override
                  public void run(Directory disk) throws IOException {
                    commit.run(EncryptedDirectory.over(disk, TestKeys.one()));
                  }

                  @Override
                  public void check(Directory rebooted) throws IOException {
                    commit.check(EncryptedDirectory.over(rebooted, TestKeys.one()));
                  }
                });
  }

  @Test
  void aFailedWriteOfAnEncryptedTableLeavesNothingBehind() throws IOException {
    for (Operation operation : List.of(Operation.CREATE, Operation.WRITE, Operation.SYNC)) {
      int step = SCALE == 1 ? 10 : 1;
      for (int call = 1; ; call += step) {
        Fault fault = Fault.on(operation).call(call).fails("Input/output error");
        MemoryDirectory disk = new MemoryDirectory();
        Directory faulty =
            EncryptedDirectory.over(
                leaks.watch(new FaultyDirectory(disk, SEED, fault)), TestKeys.one());
        try {
          ModelTables.write(model, faulty, DESCRIPTOR, options(true), memory);
          assertThat(fault.fired()).as("%s was not told", fault).isZero();
          assertThat(call).as("calls of %s", operation).isGreaterThan(5);
          break;
        } catch (IOException e) {
          assertThat(e).as("%s", fault).hasMessageContaining("Input/output error");
          assertThat(disk.files()).as("%s", fault).isEmpty();
          leaks.requireNothingOpen();
        }
      }
    }
  }

  /** Writes a table and remembers whether it was told that it is there. */
  private final class Commit implements PowerCuts.Case {
    private final boolean compressed;
    private boolean committed;

    Commit(boolean compressed) {
      this.compressed = compressed;
    }

    @Override
    public void run(Directory disk) throws IOException {
      ModelTables.write(model, disk, DESCRIPTOR, options(compressed), memory);
      committed = true;
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      boolean isThere = rebooted.exists(DESCRIPTOR.fileName(Component.DATA));
      assertThat(isThere || !committed).as("a table that was committed is there").isTrue();
      if (isThere) {
        ModelTables.assertHolds(model, rebooted, DESCRIPTOR, memory);
      }
      assertNamesAreKnown(rebooted);
    }
  }

  /** All that a crash may leave is a component of the table, or temporary. */
  private static void assertNamesAreKnown(Directory directory) throws IOException {
    for (String name : directory.files()) {
      assertThat(Descriptor.parse(name)).isEqualTo(DESCRIPTOR);
      boolean isComponent =
          List.of(Component.values()).stream()
              .anyMatch(component -> Descriptor.isComponent(name, component));
      assertThat(isComponent || name.endsWith(Descriptor.TEMPORARY_SUFFIX)).as(name).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY", "LOOK_UP"})
  void aFailureAtAnyCallLeavesNothingBehind(Operation operation) throws IOException {
    // Of the many writes, some; all of them in longer runs.
    int step = SCALE > 1 ? 1 : operation == Operation.WRITE ? 38 : 4;
    for (boolean compressed : new boolean[] {true, false}) {
      long call = 1;
      while (failsCleanly(Fault.on(operation).call(call).fails("Input/output error"), compressed)) {
        call += step;
      }
      assertThat(call).as("calls of %s that failed", operation).isGreaterThan(1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY"})
  void aFailureToldAfterTheFactLeavesNothingBehind(Operation operation) throws IOException {
    long call = 1;
    while (failsCleanly(
        Fault.on(operation).call(call).failsAfterwards("Input/output error"), true)) {
      call += SCALE == 1 ? 6 : 1;
    }
    assertThat(call).as("calls of %s that failed", operation).isGreaterThan(1);
  }

  @Test
  void aFullDiskLeavesNothingBehind() throws IOException {
    for (long bytes = 0; ; bytes += SCALE == 1 ? 7_999 : 3_999) {
      if (!failsCleanly(Fault.on(Operation.WRITE).noSpaceAfter(bytes), bytes % 2 == 0)) {
        assertThat(bytes).as("bytes of room that were not enough").isGreaterThan(10_000);
        return;
      }
    }
  }

  /** Whether the fault happened; fails unless nothing is left, or the table if it did not. */
  private boolean failsCleanly(Fault fault, boolean compressed) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Directory faulty = leaks.watch(new FaultyDirectory(disk, SEED, fault));
    String what = "seed " + SEED + ", " + fault;
    try {
      ModelTables.write(model, faulty, DESCRIPTOR, options(compressed), memory);
    } catch (IOException e) {
      assertThat(fault.fired()).as(what).isPositive();
      // An error of the directory itself names the directory.
      assertThat(e).as(what).hasMessageContaining(disk.path());
      assertThat(disk.files()).as(what).isEmpty();
      leaks.requireNothingOpen();
      return true;
    }
    assertThat(fault.fired()).as("%s was not told", what).isZero();
    ModelTables.assertHolds(model, disk, DESCRIPTOR, memory);
    assertNamesAreKnown(disk);
    return false;
  }

  /** Of a filter whose bits are gathered, too. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void memoryThatIsRefusedAtAnyMomentLeavesNothingBehind(boolean byTheBudget) throws IOException {
    SSTableWriterOptions options =
        SSTableWriterOptions.builder().minIndexInterval(1).expectedPartitions(1_000_000).build();
    TableModel table = ManyPartitionsTest.model(SEED);
    int refused = 0;
    for (int call = 1; ; call++) {
      MemoryDirectory disk = new MemoryDirectory();
      RefusingMemory refusing = new RefusingMemory(memory, call, byTheBudget);
      try {
        ModelTables.write(table, leaks.watch(disk), DESCRIPTOR, options, refusing);
        ModelTables.assertHolds(table, disk, DESCRIPTOR, memory);
      } catch (OutOfBudgetException | OutOfMemoryError e) {
        assertThat(e).hasMessage(RefusingMemory.MESSAGE);
        assertThat(disk.files()).as("allocation %s", call).isEmpty();
        refused++;
      }
      leaks.requireNothingOpen();
      if (!refusing.hasRefused()) {
        // All but the one that only saves time.
        assertThat(refused).isEqualTo(byTheBudget ? call - 2 : call - 1).isGreaterThan(5);
        return;
      }
    }
  }

  /** Refuses one allocation of many. */
  private static final class RefusingMemory implements MemoryBudget {
    private static final String MESSAGE = "refused by the test";

    private final MemoryBudget memory;
    private final int refusedCall;
    private final boolean byTheBudget;
    private int calls;

    RefusingMemory(MemoryBudget memory, int refusedCall, boolean byTheBudget) {
      this.memory = memory;
      this.refusedCall = refusedCall;
      this.byTheBudget = byTheBudget;
    }

    boolean hasRefused() {
      return calls >= refusedCall;
    }

    private void count() {
      if (++calls == refusedCall) {
        if (byTheBudget) {
          throw new OutOfBudgetException(MESSAGE, memory.used());
        }
        throw new OutOfMemoryError(MESSAGE);
      }
    }

    @Override
    public OffHeapBuffer allocate(MemoryKind kind, int bytes) {
      count();
      return memory.allocate(kind, bytes);
    }

    @Override
    public OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment) {
      count();
      return memory.allocateAligned(kind, bytes, alignment);
    }

    @Override
    public MemoryReservation reserve(MemoryKind kind, long bytes) {
      count();
      return memory.reserve(kind, bytes);
    }

    @Override
    public long limit() {
      return memory.limit();
    }

    @Override
    public long used() {
      return memory.used();
    }

    @Override
    public long used(MemoryKind kind) {
      return memory.used(kind);
    }

    @Override
    public void reclaim() {
      memory.reclaim();
    }

    @Override
    public void close() {
      // It is another's.
    }
  }

  @Test
  void aKeyThatIsLongerThanTheFormatAllowsIsRefused() throws IOException {
    SimpleTable simple = new SimpleTable(FormatVersion.OA);
    PartitionKey longest = SimpleTable.key(new byte[PartitionKey.MAX_LENGTH]);
    PartitionKey longer = SimpleTable.key(new byte[PartitionKey.MAX_LENGTH + 1]);
    MemoryDirectory disk = new MemoryDirectory();
    TableModel one = simple.partition(longest, simple.row(1, 10)).model();
    try (SSTableWriter writer =
        SSTableWriter.create(
            disk, DESCRIPTOR, one.header(), one.partitioner(), options(true), memory)) {
      assertThatThrownBy(() -> writer.startPartition(longer, DeletionTime.NO_TIMESTAMP, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(writer.toString())
          .hasMessageContaining("a key of 65536 bytes, allowed 0 to 65535");
      // Nothing of it was written.
      ModelTables.write(one, writer);
      writer.commit();
    }
    ModelTables.assertHolds(one, disk, DESCRIPTOR, memory);
  }

  @Test
  void whatFailedToBeAddedCannotBeCommitted() throws IOException {
    Fault fault = Fault.on(Operation.CREATE).files("*offsets*").fails("Input/output error");
    MemoryDirectory disk = new MemoryDirectory();
    SimpleTable simple = new SimpleTable(FormatVersion.OA);
    Item[] rows = new Item[2100];
    Arrays.setAll(rows, i -> simple.row(i, 1100));
    TableModel wide = simple.partition(SimpleTable.key((byte) 1), rows).model();
    try (SSTableWriter writer =
        SSTableWriter.create(
            new FaultyDirectory(disk, SEED, fault),
            DESCRIPTOR,
            wide.header(),
            wide.partitioner(),
            options(true),
            memory)) {
      assertThatThrownBy(() -> ModelTables.write(wide, writer))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("offsets.tmp");
      assertThatThrownBy(writer::endPartition).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(writer::commit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("failed");
    }
    assertThat(disk.files()).isEmpty();
  }

  private static TableModel wide(int partitions, int rows) {
    return RandomPartitions.of(
        new Random(SEED), DamagedTable.schema(), FormatVersion.OA, partitions, rows);
  }

  @Test
  void aWriterLeavesTheTemporaryFilesOfAnotherAlone() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    for (Component taken : new Component[] {Component.DATA, Component.PRIMARY_INDEX}) {
      String name = DESCRIPTOR.temporaryFileName(taken);
      DamagedTable.put(disk, name, new byte[] {1});
      assertThatThrownBy(() -> ModelTables.write(model, disk, DESCRIPTOR, options(true), memory))
          .hasMessageContaining(name);
      assertThat(disk.files()).containsExactly(name);
      disk.delete(name);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFailedReadIsToldAndEverythingCanBeClosed(boolean afterwards) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    ModelTables.write(model, disk, DESCRIPTOR, options(true), memory);
    List<String> scan = model.scan();
    List<List<String>> reads = model.partitions().stream().map(model::read).toList();
    long failures = 0;
    // Every 34th call; each of them in longer runs.
    int step = SCALE == 1 ? 34 : 1;
    for (long call = 1; ; call += step) {
      Fault.Rule rule = Fault.on(Operation.READ, Operation.OPEN).call(call);
      Fault fault = afterwards ? rule.failsAfterwards("bad sector") : rule.fails("bad sector");
      Directory faulty = leaks.watch(new FaultyDirectory(disk, SEED, fault));
      try {
        readAll(faulty, scan, reads);
        assertThat(fault.fired()).isZero();
        break;
      } catch (IOException e) {
        assertThat(e).as("%s", fault).hasMessageContaining("bad sector");
        failures++;
      }
      leaks.requireNothingOpen();
    }
    assertThat(failures).isGreaterThan(5);
  }

  private void readAll(Directory directory, List<String> scan, List<List<String>> reads)
      throws IOException {
    try (SSTable table = SSTable.open(directory, DESCRIPTOR, SSTableOptions.DEFAULT, memory);
        PartitionReader reader = table.reader()) {
      assertThat(ModelTables.scan(table)).isEqualTo(scan);
      for (int i = 0; i < reads.size(); i++) {
        assertThat(ModelTables.read(reader, model.partitions().get(i).key()))
            .isEqualTo(reads.get(i));
      }
    }
  }

  @Test
  void aPointReadOfANarrowPartitionReadsOneChunkOfTheData() throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    TableModel narrow = wide(300, 2);
    SSTableWriterOptions options =
        SSTableWriterOptions.builder()
            .compression(CompressionOptions.DEFAULT.withChunkLengthInKb(64))
            .build();
    ModelTables.write(narrow, disk, DESCRIPTOR, options, memory);
    try (SSTable table = SSTable.open(disk, DESCRIPTOR, SSTableOptions.DEFAULT, memory)) {
      assertThat(table.dataLength()).as("one chunk").isLessThan(64 * 1024);
      for (Partition partition : narrow.partitions()) {
        try (PartitionReader reader = table.reader()) {
          disk.reset();
          assertThat(ModelTables.read(reader, partition.key())).isEqualTo(narrow.read(partition));
          assertThat(disk.count(Operation.READ, "*-Data.db")).isEqualTo(1);
        }
      }
      try (PartitionReader reader = table.reader()) {
        disk.reset();
        assertThat(reader.seek(narrow.partitions().get(0).key(), List.<Slice>of(), false)).isTrue();
        assertThat(disk.count(Operation.READ, "*-Data.db")).isEqualTo(1);
      }
    }
  }

  @Test
  void aScanReadsAheadAndNothingButTheData() throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    TableModel large = wide(40, 4000);
    ModelTables.write(large, disk, DESCRIPTOR, options(true), memory);
    try (SSTable table = SSTable.open(disk, DESCRIPTOR, SSTableOptions.DEFAULT, memory)) {
      assertThat(table.onDiskLength()).isGreaterThan(600 * 1024);
      disk.reset();
      try (DataCursor cursor = table.scan()) {
        while (cursor.nextPartition()) {
          while (cursor.nextUnfiltered()) {
            assertThat(cursor.unfiltered().end()).isPositive();
          }
        }
      }
      long reads = disk.count(Operation.READ, "*-Data.db");
      assertThat(reads).isLessThanOrEqualTo(table.onDiskLength() / (256 * 1024) + 3);
      assertThat(disk.count(Operation.READ)).isEqualTo(reads);
      assertThat(disk.count(Operation.OPEN, "*-Data.db")).isEqualTo(disk.count(Operation.OPEN));
    }
  }
}
