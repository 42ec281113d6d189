package io.siltstone.tools.terminal;

import io.siltstone.text.PrintableText;
import java.io.BufferedOutputStream;
import java.io.Console;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The output streams of a command. Text is UTF-8, and lines end in {@code \n} on all systems.
 *
 * @param out results; buffered, flushed when the command has ended
 * @param err errors and progress, never results; flushed at the end of each line
 */
public record Terminal(PrintStream out, PrintStream err) {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** Wraps the given streams, which the caller closes. */
  public static Terminal of(OutputStream out, OutputStream err) {
    return new Terminal(
        new PrintStream(
            new BufferedOutputStream(new OutputGuard(out), BUFFER_BYTES),
            false,
            StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  /**
   * Returns whether standard input and output are a terminal, on which printed lines can be
   * overwritten.
   */
  @SuppressWarnings("SystemConsoleNull")
  public static boolean isInteractive() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From Java 22 on there always is a console, which says whether it is a terminal.
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  /**
   * Prints a line of results, or several; control characters of names and paths in it are escaped,
   * except line breaks and tabs.
   */
  public void line(String text) {
    out.print(PrintableText.ofLines(text));
    out.print('\n');
  }

  /** Prints one line of errors or warnings, in which all control characters are escaped. */
  public void errorLine(String text) {
    err.print("siltstone: " + PrintableText.of(text) + "\n");
  }

  /** Prints a line of results, formatted by {@link String#format} in the root locale. */
  public void format(String format, Object... arguments) {
    line(String.format(Locale.ROOT, format, arguments));
  }
}
