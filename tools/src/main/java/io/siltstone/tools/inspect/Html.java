package io.siltstone.tools.inspect;

import java.util.Locale;

/** Collects HTML; what is not markup is escaped. */
final class Html {
  private final StringBuilder text = new StringBuilder(1 << 16);

  /** Markup, as it is. */
  Html raw(String markup) {
    text.append(markup);
    return this;
  }

  /** Markup by a format of the root locale; no text from outside may be among the arguments. */
  Html format(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments));
    return this;
  }

  /** Text, or a value of an attribute in quotes. */
  Html text(String content) {
    for (int i = 0; i < content.length(); i++) {
      char c = content.charAt(i);
      switch (c) {
        case '&' -> text.append("&amp;");
        case '<' -> text.append("&lt;");
        case '>' -> text.append("&gt;");
        case '"' -> text.append("&quot;");
        case '\'' -> text.append("&#39;");
        default -> text.append(Character.isISOControl(c) ? '\u00b7' : c);
      }
    }
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
