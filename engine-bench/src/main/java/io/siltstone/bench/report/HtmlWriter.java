package io.siltstone.bench.report;

import java.util.Locale;

/**
 * Collects an HTML page in memory, and escapes all text that is not markup. Not safe for use by
 * several threads.
 */
public final class HtmlWriter {
  private static final int REPLACEMENT = 0xFFFD;

  private final StringBuilder out = new StringBuilder(1 << 16);

  /** Appends markup as it is. */
  public HtmlWriter raw(String markup) {
    out.append(markup);
    return this;
  }

  /**
   * Appends formatted markup, in the root locale. The arguments are not escaped, so they must not
   * contain text from outside.
   */
  public HtmlWriter format(String format, Object... arguments) {
    out.append(String.format(Locale.ROOT, format, arguments));
    return this;
  }

  /**
   * Appends text between tags or in a quoted attribute. Characters that XML 1.0 does not allow are
   * replaced with U+FFFD.
   */
  public HtmlWriter text(String text) {
    text.codePoints().forEach(this::escaped);
    return this;
  }

  private void escaped(int c) {
    switch (c) {
      case '&' -> out.append("&amp;");
      case '<' -> out.append("&lt;");
      case '>' -> out.append("&gt;");
      case '"' -> out.append("&quot;");
      case '\'' -> out.append("&#39;");
      default -> out.appendCodePoint(isXml(c) ? c : REPLACEMENT);
    }
  }

  private static boolean isXml(int c) {
    return c == '\t'
        || c == '\n'
        || (c >= 0x20 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }

  /** Returns the page. */
  @Override
  public String toString() {
    return out.toString();
  }
}
