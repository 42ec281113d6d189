package io.siltstone.tools.terminal;

import io.siltstone.schema.Schema;
import io.siltstone.schema.SchemaException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;

/** Reads the text of a schema for a command, and reports the parts that are not used. */
public final class SchemaText {
  private static final String OPTION = "--schema";

  private SchemaText() {}

  /**
   * Reads a schema, and prints a line for each statement that is skipped.
   *
   * @param file may be a pipe
   * @param parser parses the text
   * @throws UsageException if the text is wrong, naming file and place
   * @throws IOException naming the file, if it cannot be read
   */
  public static Schema read(Path file, Function<String, Schema> parser, Terminal terminal)
      throws IOException {
    return parse(file, TextOption.read(OPTION, file), parser, terminal);
  }

  /** Parses the text of a schema file; otherwise as {@link #read}. */
  static Schema parse(Path file, String text, Function<String, Schema> parser, Terminal terminal) {
    Schema read;
    try {
      read = parser.apply(text);
    } catch (SchemaException e) {
      throw new UsageException(file + ": " + e.getMessage(), e);
    }
    read.warnings().forEach(warning -> printWarning(file, warning, terminal));
    return read;
  }

  /** Prints a warning of the parser with the file's name. */
  static void printWarning(Path file, String warning, Terminal terminal) {
    terminal.errorLine(file + ": " + warning);
  }
}
