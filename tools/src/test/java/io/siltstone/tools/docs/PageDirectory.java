package io.siltstone.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fresh directory that has {@code siltstone} and {@code docs/sample}, in which the command lines
 * of a page of the documentation run.
 */
final class PageDirectory {
  /** Words that mean the same to a shell as to a program. */
  private static final Pattern PLAIN = Pattern.compile("(?:\\./)?siltstone ([\\w./:=, -]+)");

  private final Path parent;
  private final Path directory;
  private final CommandFiles files;

  /**
   * Creates the directory.
   *
   * @param parent takes it and the files of what is printed
   */
  PageDirectory(Path parent, CommandFiles files) throws IOException {
    this.parent = parent;
    this.files = files;
    directory = Files.createTempDirectory(parent, "page");
    // The script finds its libraries beside the file that the link names.
    Files.createSymbolicLink(directory.resolve("siltstone"), files.script());
    Path sample = Files.createDirectories(directory.resolve("docs/sample"));
    for (String name : new String[] {"schema.cql", "readings.jsonl"}) {
      Files.copy(Page.ROOT.resolve("docs/sample").resolve(name), sample.resolve(name));
    }
  }

  /** The standard output, standard error and exit code of a command line. */
  record Result(String printed, int exitCode) {}

  /** Runs command lines in order, each in a shell, in which {@code siltstone} is the script. */
  List<Result> runInShells(List<String> lines) throws Exception {
    List<Result> results = new ArrayList<>();
    for (String line : lines) {
      Path printed = Files.createTempFile(parent, "printed", ".txt");
      ProcessBuilder builder =
          new ProcessBuilder("/bin/sh", "-c", line)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(printed.toFile());
      builder.environment().put("JAVA_HOME", CommandFiles.JAVA_HOME.toString());
      builder.environment().put("SILTSTONE_JAVA_OPTS", files.javaOptions());
      builder.environment().merge("PATH", directory.toString(), (path, own) -> own + ":" + path);
      int exitCode = exitCode(builder, line);
      results.add(new Result(Files.readString(printed), exitCode));
    }
    return results;
  }

  /**
   * Runs command lines in order. Those in a row that are nothing but {@code siltstone} and plain
   * words share a process, a {@link CommandHost}. The others run in shells.
   */
  List<Result> run(List<String> lines) throws Exception {
    List<Result> results = new ArrayList<>();
    List<String> inRow = new ArrayList<>();
    for (String line : lines) {
      Matcher plain = PLAIN.matcher(line);
      if (plain.matches()) {
        inRow.add(plain.group(1));
      } else {
        results.addAll(runInOneProcess(inRow));
        inRow.clear();
        results.addAll(runInShells(List.of(line)));
      }
    }
    results.addAll(runInOneProcess(inRow));
    return results;
  }

  private List<Result> runInOneProcess(List<String> commands) throws Exception {
    if (commands.isEmpty()) {
      return List.of();
    }
    Path exchange = Files.createTempDirectory(parent, "commands");
    Files.write(exchange.resolve(CommandHost.COMMANDS), commands);
    Path log = exchange.resolve("log");
    List<String> command = files.javaCommand(CommandHost.class);
    command.add(exchange.toString());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    int ended = exitCode(builder, commands.toString());
    assertThat(ended).as("%s printed%n%s", commands, Files.readString(log)).isZero();
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      int exitCode = Integer.parseInt(Files.readString(CommandHost.exitCode(exchange, i)));
      results.add(new Result(Files.readString(CommandHost.printed(exchange, i)), exitCode));
    }
    return results;
  }

  private static int exitCode(ProcessBuilder builder, String commands) throws Exception {
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", commands).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return process.exitValue();
  }
}
