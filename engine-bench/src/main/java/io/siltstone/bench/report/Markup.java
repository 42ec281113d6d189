package io.siltstone.bench.report;

/** Texts made safe for documents: whatever they hold, they are shown as they are. */
final class Markup {
  private static final String MARKDOWN = "\\`*_{}[]<>#|~!&";

  private Markup() {}

  /** For XML and HTML, between tags and in attributes. */
  static String xml(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isXml(c) ? c : 0xFFFD);
              }
            });
    return out.toString();
  }

  /** What XML 1.0 allows in a document. */
  private static boolean isXml(int c) {
    return c == '\t'
        || c == '\n'
        || (c >= 0x20 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }

  /** For one line of Markdown. */
  static String markdown(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        out.append(' ');
      } else {
        if (MARKDOWN.indexOf(c) >= 0) {
          out.append('\\');
        }
        out.append(c);
      }
    }
    return out.toString();
  }
}
