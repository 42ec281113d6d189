package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Mutation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A database is opened with less memory than it had when it was written. */
class OpeningWithLessMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int BUFFER_BYTES = 256 << 10;
  private static final DatabaseOptions MUCH =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .chunkCacheBytes(0)
          .memtableBytes(64 * MIB)
          .commitLog(
              CommitLogOptions.builder().syncMode(SyncMode.BATCH).bufferBytes(BUFFER_BYTES).build())
          .build();
  // Leaves memtables 1,651,424 bytes.
  private static final DatabaseOptions LITTLE = with(2_700_000);
  private static final Pattern NEEDED = Pattern.compile("memoryBytes it needs at least (\\d+): ");

  private final SimulatedDisk disk = new SimulatedDisk();

  private static DatabaseOptions with(long memoryBytes) {
    return MUCH.toBuilder().memtableBytes(MIB).memoryBytes(memoryBytes).build();
  }

  private static Database create(SimulatedDisk disk) throws IOException {
    Database database = Database.open(disk, MUCH);
    database.createTable("CREATE TABLE w.a (k int PRIMARY KEY, v blob)");
    database.createTable("CREATE TABLE w.b (k int PRIMARY KEY, v blob)");
    return database;
  }

  private static ByteBuffer value(int k, int bytes) {
    byte[] value = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      value[i] = (byte) (k * 31 + i * i);
    }
    return ByteBuffer.wrap(value);
  }

  private static void write(Table table, int k, int bytes) throws IOException {
    table.write(table.mutation(k).insert().set("v", value(k, bytes)).build());
  }

  private static void requireRow(Table table, int k, int bytes) throws IOException {
    assertThat(table.get(table.query().partition(k).build()).orElseThrow().getBytes("v"))
        .isEqualTo(value(k, bytes).array());
  }

  private SimulatedDisk died(Database database) {
    return died(disk, database);
  }

  private static SimulatedDisk died(SimulatedDisk disk, Database database) {
    SimulatedDisk left = disk.processDeath();
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    return left;
  }

  /** Alone it has room, beside what came before it has not. */
  @Test
  void aChangeThatFindsNoRoomComesBackOnceTheOthersAreFlushed() throws IOException {
    Database database = create(disk);
    Table table = database.table("w", "a");
    for (int k = 0; k < 100; k++) {
      write(table, k, 2000);
    }
    write(table, 100, 1_600_000);
    try (Database again = Database.open(died(database), LITTLE)) {
      Table found = again.table("w", "a");
      for (int k = 0; k < 100; k++) {
        requireRow(found, k, 2000);
      }
      requireRow(found, 100, 1_600_000);
    }
  }

  /** Of which only one part has room at a time. */
  @Test
  void aBatchComesBackInParts() throws IOException {
    Database database = create(disk);
    writeBatch(database);
    SimulatedDisk left = died(database);
    try (Database again = Database.open(left, LITTLE)) {
      requireBatch(again);
    }
    try (Database again = Database.open(left, LITTLE)) {
      requireBatch(again);
    }
  }

  private static void writeBatch(Database database) throws IOException {
    List<Mutation> batch = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      Table table = database.table("w", k % 2 == 0 ? "a" : "b");
      batch.add(table.mutation(k).insert().set("v", value(k, 900_000)).build());
    }
    database.write(new Batch(batch));
  }

  private static void requireBatch(Database database) throws IOException {
    for (int k = 0; k < 4; k++) {
      requireRow(database.table("w", k % 2 == 0 ? "a" : "b"), k, 900_000);
    }
  }

  /** At whichever step: what the first part brought does not hide that the others are missing. */
  @Test
  void aBatchOfWhichAPartWasFlushedIsWholeThoughTheReplayIsInterrupted() throws IOException {
    boolean isOpen = false;
    for (int operations = 1;
        !isOpen;
        operations += Integer.getInteger("siltstone.scale", 1) > 1 ? 1 : 8) {
      SimulatedDisk written = new SimulatedDisk();
      Database database = create(written);
      writeBatch(database);
      SimulatedDisk interrupted = died(written, database);
      interrupted.crashAfter(operations);
      isOpen = opens(interrupted);
      SimulatedDisk left = interrupted.powerLoss(operations);
      try (Database again = Database.open(left, MUCH.toBuilder().readOnly(true).build())) {
        requireBatch(again);
      }
    }
  }

  private static boolean opens(SimulatedDisk disk) {
    try {
      Database.open(disk, LITTLE).close();
      return true;
    } catch (IOException | IllegalStateException e) {
      return false;
    }
  }

  @Test
  void aTruncationTakesThePartsThatWereFlushed() throws IOException {
    Database database = create(disk);
    writeBatch(database);
    database.table("w", "a").truncate();
    try (Database again = Database.open(died(database), LITTLE)) {
      Table table = again.table("w", "a");
      assertThat(table.get(table.query().partition(0).build())).isEmpty();
      assertThat(table.get(table.query().partition(2).build())).isEmpty();
      requireRow(again.table("w", "b"), 1, 900_000);
      requireRow(again.table("w", "b"), 3, 900_000);
    }
  }

  /** Its buffer is larger than what memtables leave to a flush. */
  @Test
  void whatTheLogNeedsIsThereBehindTheReplay() throws IOException {
    Database database = create(disk);
    write(database.table("w", "a"), 1, 3_000_000);
    DatabaseOptions options =
        MUCH.toBuilder()
            .memtableBytes(MIB)
            .memoryBytes(4_200_000)
            .commitLog(CommitLogOptions.builder().bufferBytes(2 * MIB).build())
            .build();
    try (Database again = Database.open(died(database), options)) {
      requireRow(again.table("w", "a"), 1, 3_000_000);
    }
  }

  @Test
  void aChangeThatIsTooLargeIsToldWithTheMemoryThatItNeeds() throws IOException {
    Database database = create(disk);
    write(database.table("w", "a"), 1, 2000);
    write(database.table("w", "b"), 2, 3_000_000);
    SimulatedDisk left = died(database);
    long needed = neededAtLeast(left, LITTLE);
    assertThat(needed).isBetween(3_000_000L + MIB, 3_200_000L + MIB);
    assertThat(neededAtLeast(left, with(needed - 100_000))).isEqualTo(needed);
    try (Database again = Database.open(left, with(needed))) {
      requireRow(again.table("w", "a"), 1, 2000);
      requireRow(again.table("w", "b"), 2, 3_000_000);
    }
  }

  /** Summaries here, which have one long key of each partition. */
  @Test
  void soIsWhatIsHeldOfAllSSTables() throws IOException {
    try (Database database = create(disk)) {
      Table table =
          database.createTable(
              "CREATE TABLE w.held (k text PRIMARY KEY, v int) WITH min_index_interval = 1"
                  + " AND max_index_interval = 1");
      for (int k = 0; k < 50; k++) {
        table.write(table.mutation(longKey(k)).insert().set("v", k).build());
      }
      table.flush();
    }
    for (boolean isReadOnly : new boolean[] {false, true}) {
      DatabaseOptions little = with(2_400_000).toBuilder().readOnly(isReadOnly).build();
      long needed = neededAtLeast(disk, little);
      assertThat(needed).isBetween(3_000_000L + MIB, 3_400_000L + MIB);
      DatabaseOptions enough = little.toBuilder().memoryBytes(needed).build();
      try (Database again = Database.open(disk, enough)) {
        Table table = again.table("w", "held");
        assertThat(table.get(table.query().partition(longKey(7)).build())).isPresent();
      }
    }
  }

  private static String longKey(int k) {
    return Integer.toString(k + 100).repeat(20_000);
  }

  @Test
  void forReadingOnlyAllThatTheLogHasMustFindRoom() throws IOException {
    Database database = create(disk);
    for (int k = 0; k < 4; k++) {
      write(database.table("w", "a"), k, 900_000);
    }
    SimulatedDisk left = died(database);
    long needed = neededAtLeast(left, LITTLE.toBuilder().readOnly(true).build());
    assertThat(needed).isGreaterThan(4 * 900_000 + MIB);
    try (Database again = Database.open(left, MUCH.toBuilder().readOnly(true).build())) {
      requireRow(again.table("w", "a"), 3, 900_000);
    }
  }

  private static long neededAtLeast(SimulatedDisk disk, DatabaseOptions options) {
    OutOfBudgetException refused =
        catchThrowableOfType(
            OutOfBudgetException.class, () -> Database.open(disk, options).close());
    assertThat(refused).isNotNull();
    Matcher told = NEEDED.matcher(String.valueOf(refused.getMessage()));
    assertThat(told.find()).as("%s", refused.getMessage()).isTrue();
    return Long.parseLong(told.group(1));
  }
}
