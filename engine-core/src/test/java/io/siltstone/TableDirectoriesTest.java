package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.event.EngineListener;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.model.Contents;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A table's directory and the definition in it must agree, and what the commit log has of a table
 * is not lost where they do not.
 */
class TableDirectoriesTest {
  private static final String ID = "0a1b2c3d-4e5f-6789-abcd-ef0123456789";
  private static final String HEX = ID.replace("-", "");
  private static final String TABLE =
      "CREATE TABLE w.t (k int PRIMARY KEY, v text) WITH id = " + ID;
  private static final String OTHER = "CREATE TABLE w.other (k int PRIMARY KEY, v text)";
  private static final String ASIDE = "commitlog-quarantine";
  private static final String SCHEMA = "schema.cql";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private final SimulatedDisk disk = new SimulatedDisk();
  private final List<EngineListener.RecoveryAssumed> assumed = new ArrayList<>();
  private final DatabaseOptions strict =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .chunkCacheBytes(0)
          .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
          .listener(
              new EngineListener() {
                @Override
                public void recoveryAssumed(RecoveryAssumed event) {
                  assumed.add(event);
                }
              })
          .build();
  private final DatabaseOptions lenient = strict.toBuilder().lenient(true).build();

  /** Leaves a row in an SSTable of the table, one in the log, and one in the log of another. */
  private SimulatedDisk left() throws IOException {
    Database database = Database.open(disk, strict);
    Table table = database.createTable(TABLE);
    Table other = database.createTable(OTHER);
    write(table, 1, "flushed");
    table.flush();
    write(table, 2, "logged");
    write(other, 3, "other");
    return died(database);
  }

  private SimulatedDisk died(Database database) {
    SimulatedDisk left = disk.processDeath();
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    return left;
  }

  private static void write(Table table, int key, String value) throws IOException {
    table.write(table.mutation(key).insert().set("v", value).build());
  }

  private static Directory keyspace(Directory database) throws IOException {
    return database.directory("data").directory("w");
  }

  private static Directory tableIn(Directory database) throws IOException {
    return keyspace(database).directory("t-" + HEX);
  }

  private static byte[] bytes(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.length());
      file.readFully(0, bytes);
      return bytes.array();
    }
  }

  private static void put(Directory directory, String name, byte[] bytes) throws IOException {
    if (directory.exists(name)) {
      directory.delete(name);
    }
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
  }

  private static void rewrite(Directory table, String from, String to) throws IOException {
    String text = TextFile.read(table, SCHEMA);
    assertThat(text).contains(from);
    put(table, SCHEMA, text.replace(from, to).getBytes(StandardCharsets.UTF_8));
  }

  private static void copy(Directory from, Directory to) throws IOException {
    for (String name : from.files()) {
      put(to, name, bytes(from, name));
    }
  }

  private static void move(Directory from, Directory to) throws IOException {
    copy(from, to);
    for (String name : from.files()) {
      from.delete(name);
    }
  }

  /** Returns all files but the lock, by their paths, with their content. */
  private static Map<String, String> tree(Directory directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (String name : directory.files()) {
      if (!name.equals("lock")) {
        files.put(
            directory.path() + "/" + name,
            new String(bytes(directory, name), StandardCharsets.ISO_8859_1));
      }
    }
    for (String name : directory.directories()) {
      files.putAll(tree(directory.directory(name)));
    }
    return files;
  }

  private void requireRefusedUntouched(Directory database, String... texts) throws IOException {
    Map<String, String> before = tree(database);
    assertThatThrownBy(() -> Database.open(database, strict))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(texts);
    assertThatThrownBy(() -> Database.open(database, strict.toBuilder().readOnly(true).build()))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(texts);
    assertThat(tree(database)).isEqualTo(before);
  }

  private void requireAll(Directory database) throws IOException {
    try (Database again = Database.open(database, strict)) {
      assertThat(Contents.of(again.table("w", "t"))).containsExactly("1 flushed", "2 logged");
      assertThat(Contents.of(again.table("w", "other"))).containsExactly("3 other");
    }
  }

  @Test
  void aWrongDigitOfTheIdIsRefusedBeforeAnythingIsTouched() throws IOException {
    SimulatedDisk left = left();
    Directory table = tableIn(left);
    for (int i = 0; i < ID.length(); i++) {
      if (ID.charAt(i) != '-') {
        String wrong = ID.substring(0, i) + (ID.charAt(i) == '7' ? '8' : '7') + ID.substring(i + 1);
        rewrite(table, ID, wrong);
        requireRefusedUntouched(left, "t-" + HEX + "/" + SCHEMA, wrong);
        rewrite(table, wrong, ID);
      }
    }
    requireAll(left);
    assertThat(left.directories()).doesNotContain(ASIDE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLenientOpeningTakesTheIdOfTheDirectoryAndSaysSo(boolean isReadOnly) throws IOException {
    SimulatedDisk left = left();
    rewrite(tableIn(left), ID, ID.replace('0', '1'));
    try (Database again = Database.open(left, lenient.toBuilder().readOnly(isReadOnly).build())) {
      assertThat(Contents.of(again.table("w", "t"))).containsExactly("1 flushed", "2 logged");
    }
    assertThat(assumed).hasSize(1);
    assertThat(assumed.get(0).path()).endsWith("t-" + HEX + "/" + SCHEMA);
    assertThat(assumed.get(0).assumption()).contains("opened as w.t with the id " + ID);
    rewrite(tableIn(left), ID.replace('0', '1'), ID);
    requireAll(left);
  }

  @Test
  void anIdThatIsMissingIsThatOfTheDirectory() throws IOException {
    SimulatedDisk left = left();
    put(
        tableIn(left),
        SCHEMA,
        "CREATE TABLE w.t (k int PRIMARY KEY, v text);".getBytes(StandardCharsets.UTF_8));
    requireAll(left);
    assertThat(assumed).isEmpty();
  }

  @Test
  void anotherNameOrKeyspaceIsRefused() throws IOException {
    SimulatedDisk left = left();
    Directory table = tableIn(left);
    rewrite(table, "w.t ", "w.u ");
    requireRefusedUntouched(left, "t-" + HEX + "/" + SCHEMA, "w.u");
    rewrite(table, "w.u ", "x.t ");
    requireRefusedUntouched(left, "t-" + HEX + "/" + SCHEMA, "x.t");
    rewrite(table, "x.t ", "w.t ");
    requireAll(left);
  }

  @ParameterizedTest
  @ValueSource(strings = {"w/u-", "x/t-"})
  void aCopyUnderAnotherNameIsRefusedAndLeftOutByALenientOpening(String name) throws IOException {
    SimulatedDisk left = left();
    Directory copy =
        left.directory("data").directory(name.substring(0, 1)).directory(name.substring(2) + HEX);
    copy(tableIn(left), copy);
    requireRefusedUntouched(left, name + HEX + "/" + SCHEMA, "w.t");
    Map<String, String> before = tree(copy);
    try (Database again = Database.open(left, lenient)) {
      assertThat(Contents.of(again.table("w", "t"))).containsExactly("1 flushed", "2 logged");
      assertThat(again.tables()).hasSize(2);
    }
    assertThat(tree(copy)).isEqualTo(before);
    assertThat(assumed).hasSize(1);
    assertThat(assumed.get(0).assumption()).contains("left out", "is a table of that id or name");
  }

  /** As of an operator who has moved a table's directory away. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void changesOfATableThatIsNotThereAreKeptAsideAndCanBeReplayed(boolean isLenient)
      throws IOException {
    SimulatedDisk left = left();
    Directory away = left.directory("away");
    move(tableIn(left), away);
    keyspace(left).deleteDirectory("t-" + HEX);
    List<String> segments = left.directory("commitlog").files();
    try (Database again = Database.open(left, isLenient ? lenient : strict)) {
      assertThat(again.tables()).hasSize(1);
      write(again.table("w", "other"), 4, "later");
    }
    assertThat(left.directory(ASIDE).files()).isEqualTo(segments);
    assertThat(assumed).hasSize(1);
    assertThat(assumed.get(0).path()).endsWith(ASIDE);
    assertThat(assumed.get(0).assumption()).contains("2 changes of a table with the id " + ID);
    assertThat(left.directory("commitlog").files()).doesNotContainAnyElementsOf(segments);

    // What the manual says to do: put both back, and open leniently, as there is a gap.
    copy(away, tableIn(left));
    move(left.directory(ASIDE), left.directory("commitlog"));
    try (Database again = Database.open(left, lenient)) {
      assertThat(Contents.of(again.table("w", "t"))).containsExactly("1 flushed", "2 logged");
      assertThat(Contents.of(again.table("w", "other"))).containsExactly("3 other", "4 later");
    }
    try (Database again = Database.open(left, strict)) {
      assertThat(Contents.of(again.table("w", "t"))).containsExactly("1 flushed", "2 logged");
    }
  }

  @Test
  void changesOfATableThatWasDroppedAreNotKept() throws IOException {
    Database database = Database.open(disk, strict);
    Table table = database.createTable(TABLE);
    Table other = database.createTable(OTHER);
    write(table, 2, "logged");
    write(other, 3, "other");
    database.dropTable("w", "t");
    SimulatedDisk left = died(database);
    try (Database again = Database.open(left, strict)) {
      assertThat(Contents.of(again.table("w", "other"))).containsExactly("3 other");
    }
    assertThat(left.directories()).doesNotContain(ASIDE);
    assertThat(assumed).isEmpty();
  }

  /** Between the mark in the directory and the record in the log, the mark proves the drop. */
  @Test
  void aDropIsCertainWhereverThePowerFails() throws IOException {
    int points = 0;
    for (long operations = 0; ; operations++) {
      SimulatedDisk each = new SimulatedDisk();
      Database database = Database.open(each, strict);
      Table table = database.createTable(TABLE);
      write(table, 2, "logged");
      write(database.createTable(OTHER), 3, "other");
      each.crashAfter(operations);
      boolean isDropped = true;
      try {
        database.dropTable("w", "t");
      } catch (IOException e) {
        isDropped = false;
      }
      boolean isLost = each.isLost();
      SimulatedDisk left = each.powerLoss(operations);
      assertThatThrownBy(database::close).isInstanceOf(IOException.class);
      assumed.clear();
      try (Database again = Database.open(left, strict)) {
        if (isDropped) {
          assertThat(again.findTable("w", "t")).isEmpty();
        } else {
          again.findTable("w", "t").ifPresent(t -> assertThat(count(t)).isEqualTo(1));
        }
      }
      assertThat(assumed).as("after %s operations", operations).isEmpty();
      points++;
      if (!isLost) {
        break;
      }
    }
    assertThat(points).isGreaterThan(4);
  }

  private static long count(Table table) {
    try {
      return Contents.count(table);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Without a truncation's power over what is put back: a drop tells of what was before it. */
  @Test
  void aTableThatIsPutBackAfterADropIsNotEmptiedByTheLog() throws IOException {
    Database database = Database.open(disk, strict);
    Table table = database.createTable(TABLE);
    write(table, 1, "precious");
    database.checkpoint(disk.directory("backup"));
    database.dropTable("w", "t");
    SimulatedDisk left = died(database);
    copy(tableIn(left.directory("backup")), tableIn(left));
    for (int i = 0; i < 2; i++) {
      try (Database again = Database.open(left, strict)) {
        assertThat(Contents.of(again.table("w", "t"))).containsExactly("1 precious");
      }
    }
  }

  /** Damaged parts of the log that a lenient opening skips are not deleted with their segments. */
  @Test
  void aDamagedSegmentIsKeptAside() throws IOException {
    SimulatedDisk left = left();
    Directory log = left.directory("commitlog");
    String segment = log.files().get(0);
    byte[] damaged = bytes(log, segment);
    damaged[damaged.length / 2] ^= 1;
    put(log, segment, damaged);
    assertThatThrownBy(() -> Database.open(left, strict)).hasMessageContaining(segment);
    Database.open(left, lenient).close();
    assertThat(left.directory(ASIDE).files()).contains(segment);
    assertThat(bytes(left.directory(ASIDE), segment)).startsWith(damaged);
    assertThat(assumed).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "damaged", "empty"})
  void aLenientOpeningTakesALostDefinitionFromTheLog(String kind) throws IOException {
    SimulatedDisk left = left();
    lose(tableIn(left), kind);
    requireRefusedUntouched(left, "t-" + HEX, SCHEMA);
    for (boolean isReadOnly : new boolean[] {true, false}) {
      assumed.clear();
      try (Database again = Database.open(left, lenient.toBuilder().readOnly(isReadOnly).build())) {
        assertThat(Contents.of(again.table("w", "t"))).containsExactly("1 flushed", "2 logged");
      }
      assertThat(assumed).hasSize(1);
      assertThat(assumed.get(0).path()).endsWith("t-" + HEX + "/" + SCHEMA);
      assertThat(assumed.get(0).assumption()).contains("the last definition in the commit log");
    }
  }

  private static void lose(Directory table, String kind) throws IOException {
    table.delete(SCHEMA);
    switch (kind) {
      case "damaged" ->
          put(table, SCHEMA, "CREATE TABLE w.t (k int".getBytes(StandardCharsets.UTF_8));
      case "empty" -> put(table, SCHEMA, new byte[0]);
      default -> {
        // It is missing.
      }
    }
  }

  @Test
  void aTableWhoseDefinitionNobodyKnowsIsLeftOutAndItsSSTablesSuggestOne() throws IOException {
    SimulatedDisk left = left();
    Database.open(left, strict).close();
    for (String segment : left.directory("commitlog").files()) {
      left.directory("commitlog").delete(segment);
    }
    lose(tableIn(left), "missing");
    Map<String, String> before = tree(tableIn(left));
    try (Database again = Database.open(left, lenient)) {
      assertThat(Contents.of(again.table("w", "other"))).containsExactly("3 other");
      assertThat(again.findTable("w", "t")).isEmpty();
    }
    assertThat(assumed).hasSize(1);
    assertThat(assumed.get(0).assumption())
        .contains("left out", "write schema.cql", "key1 int", "v text");
    assertThat(tree(tableIn(left))).isEqualTo(before);
  }

  /** The host must be the right one, or what was flushed is replayed, truncations among it. */
  @ParameterizedTest
  @ValueSource(strings = {"missing", "damaged", "empty"})
  void aLenientOpeningFindsTheIdentityInTheTables(String kind) throws IOException {
    Database database = Database.open(disk, strict);
    Table table = database.createTable(TABLE);
    write(table, 1, "truncated");
    table.truncate();
    write(table, 1, "flushed");
    write(database.createTable(OTHER), 3, "other");
    table.flush();
    write(table, 2, "logged");
    SimulatedDisk left = died(database);
    String name = "siltstone.properties";
    byte[] before = bytes(left, name);
    left.delete(name);
    if (!kind.equals("missing")) {
      put(
          left,
          name,
          kind.equals("empty") ? new byte[0] : "host_id=0\n".getBytes(StandardCharsets.UTF_8));
    }
    requireRefusedUntouched(left, left.path());
    for (boolean isReadOnly : new boolean[] {true, false}) {
      assumed.clear();
      try (Database again = Database.open(left, lenient.toBuilder().readOnly(isReadOnly).build())) {
        assertThat(Contents.of(again.table("w", "t"))).containsExactly("1 flushed", "2 logged");
        assertThat(Contents.of(again.table("w", "other"))).containsExactly("3 other");
      }
      assertThat(assumed).hasSize(1);
      assertThat(assumed.get(0).path()).endsWith(name);
    }
    assertThat(bytes(left, name)).isEqualTo(before);
    requireAll(left);
  }

  @Test
  void aDirectoryThatIsNoDatabaseIsNotTakenForOne() throws IOException {
    put(disk, "file", new byte[1]);
    disk.directory("data").directory("pictures").directory("2026");
    assertThatThrownBy(() -> Database.open(disk, lenient))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is neither empty nor a database");
    assertThat(disk.files()).containsExactly("file");
  }

  @Test
  void whatIsNoDefinitionOfOneTableIsNamed() throws IOException {
    try (Database database = Database.open(disk, strict)) {
      assertThatThrownBy(() -> database.createTable("SELECT * FROM w.t"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("there is no CREATE TABLE statement", "skipped SELECT * FROM");
      assertThatThrownBy(() -> database.createTable("  "))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("there is no CREATE TABLE statement");
      assertThatThrownBy(() -> database.createTable(TABLE + "; " + OTHER))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("w.t, w.other; expected one");
    }
  }

  @Test
  void aDatabaseThatIsNotThereIsSaidToBeMissing(@TempDir Path temporary) throws IOException {
    DatabaseOptions notMade = strict.toBuilder().createIfMissing(false).build();
    assertThatThrownBy(() -> Database.open(disk, notMade))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContainingAll(disk.path(), "there is no database");
    Path missing = temporary.resolve("missing");
    assertThatThrownBy(() -> Database.open(missing, notMade))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContainingAll(
            missing.toString(),
            "there is no database, the directory is missing",
            "createIfMissing");
    assertThatThrownBy(() -> Database.open(missing, strict.toBuilder().readOnly(true).build()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContainingAll(missing.toString(), "there is no database", "for reading only");
    assertThat(missing).doesNotExist();
  }
}
