package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command that opens a directory of SSTables or a database opens encrypted ones. */
class EncryptedFilesTest {
  private static final byte[] MAGIC = "SLTCRYPT".getBytes(StandardCharsets.US_ASCII);
  private static final String KEY =
      "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  private static final String UNKNOWN = "is encrypted with the key '2026', which is unknown";
  private static final String WRONG = "was not encrypted with the key that is given for '2026'";
  private static final int ROWS = 40;

  @TempDir private static Path originals;

  @TempDir private Path directory;

  private static SecretKey secret() {
    byte[] bytes = new byte[KEY.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(KEY.substring(2 * i, 2 * i + 2), 16);
    }
    return new SecretKeySpec(bytes, "AES");
  }

  private static DatabaseOptions options(EncryptedDirectory.@Nullable Keys keys) {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .memoryBytes(64 << 20)
        .memtableBytes(4 << 20)
        .chunkCacheBytes(0)
        .encryptionKeys(keys)
        .build();
  }

  /** Makes an encrypted database and a plain one of the same content. */
  @BeforeAll
  static void make() throws IOException {
    for (boolean isEncrypted : new boolean[] {true, false}) {
      EncryptedDirectory.Keys keys =
          isEncrypted ? EncryptedDirectory.Keys.of("2026", secret()) : null;
      Path database = originals.resolve(isEncrypted ? "encrypted" : "plain");
      try (Database opened = Database.open(database, options(keys))) {
        Table table =
            opened.createTable(
                "CREATE TABLE w.t (k int, c bigint, v text, PRIMARY KEY (k, c))"
                    + " WITH id = 11111111-2222-1333-8444-555555555555");
        for (int k = 0; k < ROWS; k++) {
          table.write(
              table
                  .mutation(k)
                  .timestamp(1000 + k)
                  .insert((long) k)
                  .set("v", "value " + k)
                  .build());
          if (k % 10 == 9) {
            table.flush();
          }
        }
      }
    }
  }

  private Path keyFile(String text) throws IOException {
    Path file = directory.resolve("keys");
    Files.writeString(file, text);
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    return file;
  }

  private Path keys() throws IOException {
    return keyFile("# keys of the test\n2026;" + KEY + "\n\n");
  }

  private Path copy(String original) throws IOException {
    Path from = originals.resolve(original);
    Path to = directory.resolve("db");
    delete(to);
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
    return to;
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private static Path tableOf(Path database) throws IOException {
    try (Stream<Path> all = Files.list(database.resolve("data").resolve("w"))) {
      return all.filter(Files::isDirectory).findAny().orElseThrow();
    }
  }

  /** Moves the SSTables of a database to a directory of their own. */
  private Path tableAlone(Path database) throws IOException {
    Path alone = directory.resolve("table");
    delete(alone);
    Files.move(tableOf(database), alone);
    return alone;
  }

  private Run run(String original, String command, Path... keyFiles) throws IOException {
    Path database = copy(original);
    String[] words = command.split(" ");
    for (int i = 0; i < words.length; i++) {
      switch (words[i]) {
        case "DB" -> words[i] = database.toString();
        case "TABLE" -> words[i] = tableAlone(database).toString();
        case "FILE" -> words[i] = tableAlone(database).resolve("oa-1-big-Data.db").toString();
        default -> {}
      }
    }
    List<String> all = new ArrayList<>(Arrays.asList(words));
    for (Path each : keyFiles) {
      all.add("--key-file");
      all.add(each.toString());
    }
    return Run.of(all.toArray(String[]::new));
  }

  private void requireEncrypted(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(each);
        assertThat(bytes.length == 0 || Arrays.equals(bytes, 0, 8, MAGIC, 0, 8))
            .as("%s is encrypted", each)
            .isTrue();
      }
    }
  }

  private TreeMap<String, Long> content(Path root) throws IOException {
    TreeMap<String, Long> content = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        content.put(root.relativize(each).toString(), Files.size(each));
      }
    }
    return content;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dump FILE",
        "metadata FILE",
        "metadata --json FILE",
        "verify -e TABLE",
        "verify -e DB",
        "rebuild TABLE",
        "export DB",
        "export TABLE",
        "export FILE",
        "info DB",
        "info --json FILE",
        "tablestats DB",
        "tablehistograms DB",
        "compactionstats DB",
        "compactionhistory DB",
        "compact DB",
        "compact TABLE",
        "compact --dry-run DB",
        "recompress --compression zstd TABLE",
        "upgradesstables DB",
        "scrub DB",
        "scrub TABLE",
        "garbagecollect TABLE",
        "split TABLE",
        "explain DB",
        "explain-key DB 1",
        "inspect DB",
        "advise DB",
        "retention DB",
        "retention --raise 5 DB"
      })
  void aCommandWorksWithTheKeyAndSaysWhatIsMissingWithoutIt(String command) throws IOException {
    Run plain = run("plain", command);
    assertThat(plain.code()).as(plain.err()).isZero();
    Run encrypted = run("encrypted", command, keys());
    assertThat(encrypted.code()).as(encrypted.err()).isZero();
    assertThat(encrypted.out().lines().count()).isEqualTo(plain.out().lines().count());
    if (command.startsWith("dump") || command.startsWith("export")) {
      assertThat(encrypted.out()).isEqualTo(plain.out()).contains("value 1");
    }
    requireEncrypted(directory.resolve("db"));
    if (Files.exists(directory.resolve("table"))) {
      requireEncrypted(directory.resolve("table"));
    }
    delete(directory.resolve("table"));
    Run without = run("encrypted", command);
    assertThat(without.code()).isEqualTo(ExitCode.IO);
    assertThat(without.err()).contains(UNKNOWN, "; --key-file FILE names").hasLineCount(1);
    assertThat(without.out()).doesNotContain("value");
    delete(directory.resolve("table"));
    Run wrong = run("encrypted", command, keyFile("2026;" + KEY.replace('0', '1') + "\n"));
    assertThat(wrong.code()).isEqualTo(ExitCode.IO);
    assertThat(wrong.err()).contains(WRONG, "--key-file").hasLineCount(1);
    assertThat(wrong.out() + wrong.err()).doesNotContain(KEY);
    Path changed = directory.resolve(Files.exists(directory.resolve("table")) ? "table" : "db");
    Path original = originals.resolve("encrypted");
    assertThat(content(changed))
        .isEqualTo(content(changed.endsWith("db") ? original : tableOf(original)));
    delete(directory.resolve("table"));
    Run other = run("encrypted", command, keyFile("2027;" + KEY + "\n"));
    assertThat(other.code()).isEqualTo(ExitCode.IO);
    assertThat(other.err()).contains(UNKNOWN);
  }

  @Test
  void whatIsNotEncryptedIsRefusedWithTheOption() throws IOException {
    for (String command : List.of("info DB", "compact TABLE", "dump FILE", "inspect DB")) {
      delete(directory.resolve("table"));
      Run run = run("plain", command, keys());
      assertThat(run.code()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).contains("is not encrypted", "omit --key-file");
    }
  }

  @Test
  void loadWritesAnEncryptedDirectoryOrContinuesOne() throws IOException {
    Path sample = Path.of("..", "docs", "sample");
    Path output = directory.resolve("out");
    List<String> load =
        List.of(
            "load",
            "--schema",
            sample.resolve("schema.cql").toString(),
            "--input",
            sample.resolve("readings.jsonl").toString(),
            "--output",
            output.toString());
    List<String> withKeys = new ArrayList<>(load);
    withKeys.addAll(List.of("--key-file", keys().toString()));
    for (int i = 1; i <= 2; i++) {
      Run loaded = Run.of(withKeys.toArray(String[]::new));
      assertThat(loaded.code()).as(loaded.err()).isZero();
      assertThat(output.resolve("oa-" + i + "-big-Data.db")).exists();
      requireEncrypted(output);
    }
    TreeMap<String, Long> before = content(output);
    Run plain = Run.of(load.toArray(String[]::new));
    assertThat(plain.code()).isEqualTo(ExitCode.IO);
    assertThat(plain.err()).contains(UNKNOWN);
    assertThat(content(output)).isEqualTo(before);
  }

  @Test
  void backupsAreEncryptedAsTheDatabaseOrPlain() throws IOException {
    Path database = copy("encrypted");
    String keys = keys().toString();
    Path backups = directory.resolve("backups");
    Path restored = directory.resolve("restored");
    assertThat(backup("create", database, backups, "--key-file", keys).code()).isZero();
    requireEncrypted(backups);
    for (List<Object> words :
        List.<List<Object>>of(
            List.of("list", backups),
            List.of("verify", backups),
            List.of("prune", backups, "--keep", "1"),
            List.of("restore", backups, restored))) {
      List<Object> withKeys = new ArrayList<>(words);
      withKeys.addAll(List.of("--key-file", keys));
      if (!words.get(0).equals("prune")) {
        assertThat(backup(words.toArray()).err()).contains(UNKNOWN);
      }
      Run done = backup(withKeys.toArray());
      assertThat(done.code()).as(done.err()).isZero();
    }
    requireEncrypted(restored);

    // Out of the encryption, and into it.
    Path plain = directory.resolve("plain-backups");
    assertThat(backup("create", database, plain, "--key-file", keys, "--plain-backups").code())
        .isZero();
    Path decrypted = directory.resolve("decrypted");
    assertThat(backup("restore", plain, decrypted).code()).isZero();
    Path again = directory.resolve("again");
    assertThat(backup("restore", plain, again, "--key-file", keys, "--plain-backups").code())
        .isZero();
    requireEncrypted(again);
    assertThat(Run.of("export", decrypted.toString()).out())
        .isEqualTo(Run.of("export", "--key-file", keys, again.toString()).out())
        .contains("value 39");
  }

  private static Run backup(Object... words) {
    return Run.of(
        Stream.concat(Stream.of("backup"), Stream.of(words).map(Object::toString))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "|has no key, expected a line such as ID;HEX",
        "# nothing\n|has no key",
        "2026\n|line 1 has no semicolon, allowed an id, a semicolon, and a key in hexadecimal",
        "\n;00|line 2 has an id of 0 bytes, allowed 1 to 128",
        "2026;0011\n|line 1 has a key of 2 bytes, allowed 16 to 64",
        "2026;secret00secret00secret00secret00\n|line 1 has a key that is not in hexadecimal",
        "a;00112233445566778899aabbccddeeff\na;00112233445566778899aabbccddeeff"
            + "|line 2 has the id of another line"
      })
  void aWrongKeyFileIsNamedWithItsLineAndNeverShown(String textAndMessage) throws IOException {
    String[] both = textAndMessage.split("\\|");
    Run run = run("encrypted", "info DB", keyFile(both[0]));
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--key-file ", both[1]).doesNotContain("secret");
  }

  @Test
  void aMissingKeyFileIsNamed() throws IOException {
    Run run = run("encrypted", "info DB", directory.resolve("none"));
    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.err()).contains("no such file", "none");
  }

  @Test
  void filesOfAnOlderKeyAreReadAndNewOnesGetTheFirst() throws IOException {
    String fresh = KEY.replace('a', 'b');
    Run run = run("encrypted", "compact DB", keyFile("2027;" + fresh + "\n2026;" + KEY + "\n"));
    assertThat(run.code()).as(run.err()).isZero();
    Path data;
    try (Stream<Path> all = Files.list(tableOf(directory.resolve("db")))) {
      data = all.filter(each -> each.toString().endsWith("-Data.db")).findAny().orElseThrow();
    }
    assertThat(new String(Files.readAllBytes(data), 0, 64, StandardCharsets.ISO_8859_1))
        .contains("2027");
  }

  @Test
  void aKeyFileThatOthersCanReadIsWarnedOf() throws IOException {
    Path file = keys();
    if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
      return;
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Run run = run("encrypted", "info DB", file);
    assertThat(run.code()).isZero();
    assertThat(run.err()).contains("can be read by other users than its owner").hasLineCount(1);
  }
}
