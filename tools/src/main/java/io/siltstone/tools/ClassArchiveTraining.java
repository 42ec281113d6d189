package io.siltstone.tools;

import io.siltstone.bench.workload.TemporaryDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the usual commands on a small table, so that the JVM loads their classes. The script {@code
 * siltstone} starts it with {@code -XX:ArchiveClassesAtExit}, which makes a class data archive of
 * them: commands start in about half of the time with it.
 *
 * <p>It prints nothing, leaves no files, and ends with the exit code 1 if a command failed.
 */
final class ClassArchiveTraining {
  private static final String SCHEMA =
      "CREATE TABLE training.rows (k text, c bigint, v text, s set<text>, PRIMARY KEY (k, c));";
  private static final String ROWS =
      """
      {"k": "a", "c": 1, "v": "x", "s": ["y"]}
      {"k": "b", "c": 2, "v": "z"}
      """;

  private ClassArchiveTraining() {}

  /** Runs the commands; takes no arguments. */
  public static void main(String[] args) throws IOException {
    boolean succeeds;
    try (TemporaryDirectory directory = TemporaryDirectory.named("siltstone-classes")) {
      succeeds = run(directory.path());
    }
    System.exit(succeeds ? 0 : 1);
  }

  /** Runs the commands in an empty directory; returns whether all have succeeded. */
  static boolean run(Path directory) throws IOException {
    String schema = Files.writeString(directory.resolve("rows.cql"), SCHEMA).toString();
    String rows = Files.writeString(directory.resolve("rows.jsonl"), ROWS).toString();
    String table = directory.resolve("table").toString();
    List<List<String>> commands =
        List.of(
            List.of("load", "--schema", schema, "--input", rows, "--output", table),
            List.of("load", "--schema", schema, "--input", rows, "--output", table),
            List.of("info", table),
            List.of("compact", table),
            List.of("verify", "--extended", table),
            List.of("export", table),
            List.of("tablestats", table),
            List.of("help", "load"));
    return commands.stream()
        .map(command -> command.toArray(String[]::new))
        .allMatch(command -> Siltstone.run(command, nothing(), nothing()) == 0);
  }

  private static OutputStream nothing() {
    return OutputStream.nullOutputStream();
  }
}
