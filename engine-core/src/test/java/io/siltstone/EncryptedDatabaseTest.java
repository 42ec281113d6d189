package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.EncryptedDirectory.KeyException;
import io.siltstone.io.EncryptedDirectory.Keys;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.UnsupportedFileException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.model.Contents;
import io.siltstone.model.TestKeys;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.PowerCuts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Databases whose files are encrypted: what is on the disk, and what becomes of lost keys. */
class EncryptedDatabaseTest {
  private static final long SEED = Long.getLong("siltstone.seed", 17);
  private static final String MARK = "PLAINTEXT-MARK";
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).build();

  @TempDir private Path folder;

  private Directory files(Keys keys) throws IOException {
    return EncryptedDirectory.over(NioDirectory.open(folder.resolve("database")), keys);
  }

  private static Table fill(Database database, int from, int to) throws IOException {
    Table table = database.table("w", "t");
    for (int i = from; i < to; i++) {
      table.write(table.mutation(MARK + i).insert().set("v", MARK + " value " + i).build());
    }
    return table;
  }

  private static void create(Database database) throws IOException {
    database.createTable(
        "CREATE TABLE w.t (k text PRIMARY KEY, v text) WITH comment = '"
            + MARK
            + "'"
            + " AND compression = {'enabled': 'false'}");
  }

  /** Writes to all kinds of files, and leaves some of it in the log. */
  private void write(Keys keys) throws IOException {
    try (Database database = Database.open(files(keys), OPTIONS)) {
      create(database);
      Table table = fill(database, 0, 300);
      table.flush();
      database.alterTable("w", "t", "ALTER TABLE w.t ADD extra text");
      fill(database, 200, 400);
      database.checkpoint(folder.resolve("checkpoint"));
      fill(database, 400, 500);
      database.sync();
      requireNoPlainText();
    }
  }

  private void requireNoPlainText() throws IOException {
    int found = 0;
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(path, StandardCharsets.ISO_8859_1);
        assertThat(text).as("%s", path).doesNotContain(MARK, "CREATE TABLE", "host");
        found++;
      }
    }
    assertThat(found).isGreaterThan(25);
  }

  @Test
  void noPlainTextIsOnTheDiskNorInACheckpoint() throws IOException {
    write(TestKeys.one());
    requireNoPlainText();
    try (Database database = Database.open(files(TestKeys.one()), OPTIONS)) {
      assertThat(Contents.count(database.table("w", "t"))).isEqualTo(500);
    }
    Directory checkpoint =
        EncryptedDirectory.over(NioDirectory.open(folder.resolve("checkpoint")), TestKeys.one());
    try (Database copy = Database.open(checkpoint, OPTIONS)) {
      assertThat(Contents.count(copy.table("w", "t"))).isEqualTo(400);
    }
  }

  @Test
  void aCheckpointMayHaveOtherKeysOrNone() throws IOException {
    write(TestKeys.one());
    Keys two = Keys.of("two", TestKeys.key(2));
    Directory other = EncryptedDirectory.over(NioDirectory.open(folder.resolve("other")), two);
    Directory plain = NioDirectory.open(folder.resolve("plain"));
    try (Database database = Database.open(files(TestKeys.one()), OPTIONS)) {
      database.checkpoint(other);
      database.checkpoint(plain);
    }
    for (Directory copy : List.of(other, plain)) {
      try (Database database = Database.open(copy, OPTIONS)) {
        assertThat(Contents.count(database.table("w", "t"))).isEqualTo(500);
      }
    }
  }

  @Test
  void importedFilesAreEncrypted() throws IOException {
    Path plain = folder.resolve("plain");
    try (Database database = Database.open(plain, OPTIONS)) {
      create(database);
      fill(database, 0, 50).flush();
    }
    Path table;
    try (Stream<Path> tables = Files.list(plain.resolve("data").resolve("w"))) {
      table = tables.findFirst().orElseThrow();
    }
    try (Database database = Database.open(files(TestKeys.one()), OPTIONS)) {
      create(database);
      database.table("w", "t").importTables(table);
      assertThat(Contents.count(database.table("w", "t"))).isEqualTo(50);
    }
    try (Stream<Path> all = Files.walk(folder.resolve("database"))) {
      for (Path path : all.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(path, StandardCharsets.ISO_8859_1)).doesNotContain(MARK);
      }
    }
  }

  @Test
  void aLostAndAWrongKeyAreToldAndNothingIsChanged() throws IOException {
    write(TestKeys.one());
    Map<String, List<String>> expected;
    try (Database database = Database.open(files(TestKeys.one()), OPTIONS)) {
      expected = Contents.of(database);
    }
    assertThatThrownBy(
            () -> Database.open(files(Keys.of("other", TestKeys.key(1))), OPTIONS).close())
        .isInstanceOfSatisfying(
            KeyException.class,
            e -> {
              assertThat(e.keyId()).isEqualTo("one");
              assertThat(e.reason()).isEqualTo(KeyException.Reason.UNKNOWN);
              assertThat(e).hasMessageContaining(e.path()).hasMessageContaining("'one'");
            });
    assertThatThrownBy(() -> Database.open(files(Keys.of("one", TestKeys.key(2))), OPTIONS).close())
        .isInstanceOfSatisfying(
            KeyException.class, e -> assertThat(e.reason()).isEqualTo(KeyException.Reason.WRONG));
    try (Database database = Database.open(files(TestKeys.one()), OPTIONS)) {
      assertThat(Contents.of(database)).isEqualTo(expected);
    }
  }

  /** Keys by number, of which the last is the current one. */
  private record Rotated(int first, int last) implements Keys {
    @Override
    public String current() {
      return String.valueOf(last);
    }

    @Override
    public @Nullable SecretKey key(String id) {
      int number = Integer.parseInt(id);
      return number >= first && number <= last ? TestKeys.key(number) : null;
    }
  }

  @Test
  void keysAreRotated() throws IOException {
    write(new Rotated(1, 1));
    try (Database database = Database.open(files(new Rotated(1, 2)), OPTIONS)) {
      fill(database, 500, 600).flush();
      assertThat(Contents.count(database.table("w", "t"))).isEqualTo(600);
    }
    // The first key is still needed, by the SSTable that was flushed with it.
    assertThatThrownBy(
            () -> {
              try (Database database = Database.open(files(new Rotated(2, 2)), OPTIONS)) {
                Contents.of(database);
              }
            })
        .isInstanceOfSatisfying(KeyException.class, e -> assertThat(e.keyId()).isEqualTo("1"));
    try (Database database = Database.open(files(new Rotated(1, 2)), OPTIONS)) {
      assertThat(Contents.count(database.table("w", "t"))).isEqualTo(600);
    }
  }

  @Test
  void anUnencryptedDatabaseIsRefusedByName() throws IOException {
    try (Database database = Database.open(folder.resolve("database"), OPTIONS)) {
      create(database);
    }
    assertThatThrownBy(() -> Database.open(files(TestKeys.one()), OPTIONS).close())
        .isInstanceOf(UnsupportedFileException.class)
        .hasMessageContaining("siltstone.properties")
        .hasMessageContaining("is not encrypted");
  }

  @Test
  void aFlippedBitOfTheDataIsAnErrorWithItsPlace() throws IOException {
    write(TestKeys.one());
    List<Path> data;
    try (Stream<Path> all = Files.walk(folder.resolve("database"))) {
      data = all.filter(path -> path.toString().endsWith("-Data.db")).toList();
    }
    Path file = data.get(0);
    byte[] bytes = Files.readAllBytes(file);
    bytes[512 + 1000] ^= 1;
    Files.write(file, bytes, StandardOpenOption.TRUNCATE_EXISTING);
    assertThatThrownBy(
            () -> {
              try (Database database = Database.open(files(TestKeys.one()), OPTIONS)) {
                Contents.of(database);
              }
            })
        .satisfies(e -> assertThat(causes(e)).contains(file.getFileName().toString()));
  }

  private static String causes(Throwable e) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      text.append(cause).append('\n');
    }
    return text.toString();
  }

  @Test
  void aReaderBesideAWriterSeesWhatIsInTheLog() throws IOException {
    try (Database writer = Database.open(files(TestKeys.one()), OPTIONS)) {
      create(writer);
      fill(writer, 0, 100).flush();
      fill(writer, 100, 200);
      DatabaseOptions readOnly = OPTIONS.toBuilder().readOnly(true).build();
      try (Database reader = Database.open(files(TestKeys.one()), readOnly)) {
        assertThat(Contents.count(reader.table("w", "t"))).isEqualTo(200);
      }
      fill(writer, 200, 300);
      try (Database reader = Database.open(files(TestKeys.one()), readOnly)) {
        assertThat(Contents.count(reader.table("w", "t"))).isEqualTo(300);
      }
    }
  }

  /** Appends to a log, with syncs, from a process that ends and goes on. */
  private static final class Appends implements PowerCuts.Case {
    private final byte[] content = new byte[16_000];
    private int synced;
    private int written;

    Appends() {
      new Random(SEED).nextBytes(content);
      for (int i = 0; i < content.length; i++) {
        // Zeros stand for what is lost.
        content[i] |= 1;
      }
    }

    @Override
    public void run(Directory disk) throws IOException {
      Directory files = EncryptedDirectory.over(disk, TestKeys.one());
      Random random = new Random(SEED);
      WritableFile log = files.create("log", WriteIntent.LOG);
      disk.sync();
      while (written < content.length) {
        int count = Math.min(content.length - written, random.nextInt(1 << random.nextInt(14)));
        written += count;
        log.write(ByteBuffer.wrap(content, written - count, count));
        if (random.nextInt(3) == 0) {
          log.sync();
          synced = written;
        }
        if (random.nextInt(6) == 0) {
          log.close();
          log = files.append("log");
        }
      }
      log.close();
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      Directory files = EncryptedDirectory.over(rebooted, TestKeys.one());
      if (!files.exists("log")) {
        assertThat(synced).isZero();
        return;
      }
      byte[] found = read(files);
      assertThat(found.length).isBetween(synced, content.length);
      assertThat(Arrays.copyOf(found, synced)).isEqualTo(Arrays.copyOf(content, synced));
      for (int i = synced; i < found.length; i++) {
        assertThat(found[i]).isIn(content[i], (byte) 0);
      }
      try (WritableFile log = files.append("log")) {
        assertThat(log.position()).isEqualTo(found.length);
        log.write(ByteBuffer.wrap(content));
        log.sync();
      }
      byte[] continued = Arrays.copyOf(found, found.length + content.length);
      System.arraycopy(content, 0, continued, found.length, content.length);
      assertThat(read(files)).isEqualTo(continued);
    }

    private static byte[] read(Directory files) throws IOException {
      try (ReadableFile file = files.open("log", ReadIntent.SCAN)) {
        ByteBuffer all = ByteBuffer.allocate((int) file.length());
        file.readFully(0, all);
        return all.array();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void whatWasSyncedOfALogIsThereAfterAPowerLossAtEachOperation(FileSystemModel model) {
    int points = PowerCuts.on(model, SEED).lossesPerPoint(2).atEachOperation(Appends::new);
    assertThat(points).isGreaterThan(30);
  }

  @Test
  void theTruncationOfALogIsWholeOrNotAtAll() {
    PowerCuts.on(FileSystemModel.UNORDERED, SEED)
        .lossesPerPoint(5)
        .atEachOperation(Truncation::new);
  }

  /** Cuts a log whose content was synced. */
  private static final class Truncation implements PowerCuts.Case {
    private final byte[] content = new byte[9_000];
    private boolean isWritten;
    private boolean isCut;

    @Override
    public void run(Directory disk) throws IOException {
      new Random(SEED).nextBytes(content);
      Directory files = EncryptedDirectory.over(disk, TestKeys.one());
      try (WritableFile log = files.create("log", WriteIntent.LOG)) {
        log.write(ByteBuffer.wrap(content));
        log.sync();
      }
      disk.sync();
      isWritten = true;
      files.truncate("log", 5_000);
      isCut = true;
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      if (isWritten) {
        byte[] found = Appends.read(EncryptedDirectory.over(rebooted, TestKeys.one()));
        assertThat(found.length).isIn(isCut ? List.of(5_000) : List.of(5_000, 9_000));
        assertThat(found).isEqualTo(Arrays.copyOf(content, found.length));
      }
    }
  }

  @Test
  void aCutSSTableIsAnError() throws IOException {
    Directory files = files(TestKeys.one());
    try (WritableFile file = files.create("data", WriteIntent.FLUSH)) {
      file.write(ByteBuffer.allocate(20_000));
    }
    Path path = folder.resolve("database").resolve("data");
    byte[] bytes = Files.readAllBytes(path);
    for (int length = bytes.length - 1; length > 512; length -= 97) {
      Files.write(path, Arrays.copyOf(bytes, length), StandardOpenOption.TRUNCATE_EXISTING);
      assertThatThrownBy(() -> files.open("data", ReadIntent.SCAN))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining(path.toString());
    }
  }
}
