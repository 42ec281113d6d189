package io.siltstone.type;

/**
 * Formats text as a JSON string. Source: Jackson's {@code JsonStringEncoder}, which Cassandra uses.
 */
final class JsonText {
  private JsonText() {}

  /** Returns the string with its quotes. */
  static String quoted(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\b' -> json.append("\\b");
        case '\t' -> json.append("\\t");
        case '\n' -> json.append("\\n");
        case '\f' -> json.append("\\f");
        case '\r' -> json.append("\\r");
        default -> {
          if (c < ' ') {
            json.append("\\u00").append(c >> 4).append("0123456789ABCDEF".charAt(c & 0xf));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.append('"').toString();
  }

  /** Returns a JSON value as the key of an object: a string if it is none yet. */
  static String asKey(String json) {
    return json.startsWith("\"") ? json : quoted(json);
  }
}
