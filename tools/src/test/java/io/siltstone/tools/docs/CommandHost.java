package io.siltstone.tools.docs;

import io.siltstone.tools.Siltstone;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The main class of a process that runs several commands of {@code siltstone} in its working
 * directory, because a JVM for each would take most of its time to start.
 *
 * <p>Its argument is a directory. The file {@code commands} in it has the arguments of one command
 * per line, separated by blanks. Command N, counted from 0, prints results and errors to the file
 * {@code N.printed}, and its exit code is put into {@code N.code}.
 */
final class CommandHost {
  static final String COMMANDS = "commands";

  private CommandHost() {}

  /** Runs the commands. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    List<String> commands = Files.readAllLines(directory.resolve(COMMANDS), StandardCharsets.UTF_8);
    for (int i = 0; i < commands.size(); i++) {
      int code;
      try (OutputStream out = Files.newOutputStream(printed(directory, i))) {
        code = Siltstone.run(commands.get(i).split(" +"), out, out);
      }
      Files.writeString(exitCode(directory, i), Integer.toString(code));
    }
  }

  static Path printed(Path directory, int command) {
    return directory.resolve(command + ".printed");
  }

  static Path exitCode(Path directory, int command) {
    return directory.resolve(command + ".code");
  }
}
