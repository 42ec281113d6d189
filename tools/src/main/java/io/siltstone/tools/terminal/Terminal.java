package io.siltstone.tools.terminal;

import io.siltstone.text.PrintableText;
import java.io.BufferedOutputStream;
import java.io.Console;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Where a command prints to: UTF-8, lines end in {@code \n} everywhere.
 *
 * @param out results; buffered, flushed when the command has ended
 * @param err errors and progress, never results; flushed at each line's end
 */
public record Terminal(PrintStream out, PrintStream err) {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** Over the given streams, which stay the caller's to close. */
  public static Terminal of(OutputStream out, OutputStream err) {
    return new Terminal(
        new PrintStream(
            new BufferedOutputStream(new OutputGuard(out), BUFFER_BYTES),
            false,
            StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  /**
   * Whether standard input and output are a terminal, where what was printed can be overwritten.
   */
  @SuppressWarnings("SystemConsoleNull")
  public static boolean isInteractive() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From Java 22 on there always is a console, which says itself whether it is a terminal.
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

  /** Prints a line of results in {@link String#format} form, of the root locale. */
  public void format(String format, Object... arguments) {
    line(String.format(Locale.ROOT, format, arguments));
  }
}
