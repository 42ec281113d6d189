package io.siltstone.text;

/**
 * Escapes control characters in names and paths that go into messages. A quoted name or a path may
 * contain a line break or a terminal's control sequence, which would forge lines of a log or change
 * the display of a terminal.
 */
public final class PrintableText {
  private PrintableText() {}

  /**
   * Returns the text with {@code \n}, {@code \r}, {@code \t} or the hexadecimal form {@code
   * \}{@code u001b} in place of each control character, line or paragraph separator, change of the
   * direction of writing, and surrogate without its other half. It is the same object if there are
   * none.
   */
  public static String of(String text) {
    return of(text, false);
  }

  /**
   * Escapes text as {@link #of} does, but keeps line breaks and tabs, for text of several lines
   * whose layout is the caller's own.
   */
  public static String ofLines(String text) {
    return of(text, true);
  }

  private static String of(String text, boolean keepsLayout) {
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      if (!isKept(text.codePointAt(i), keepsLayout)) {
        return escaped(text, i, keepsLayout);
      }
    }
    return text;
  }

  private static boolean isKept(int codePoint, boolean keepsLayout) {
    return isPrintable(codePoint) || (keepsLayout && (codePoint == '\n' || codePoint == '\t'));
  }

  private static String escaped(String text, int first, boolean keepsLayout) {
    StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
    int codePoint;
    for (int i = first; i < text.length(); i += Character.charCount(codePoint)) {
      codePoint = text.codePointAt(i);
      if (isKept(codePoint, keepsLayout)) {
        escaped.appendCodePoint(codePoint);
        continue;
      }
      switch (codePoint) {
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\t' -> escaped.append("\\t");
        default -> escaped.append(String.format("\\u%04x", codePoint));
      }
    }
    return escaped.toString();
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default ->
          !(codePoint >= 0x202a && codePoint <= 0x202e)
              && !(codePoint >= 0x2066 && codePoint <= 0x2069);
    };
  }
}
