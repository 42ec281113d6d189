package io.siltstone.schema;

/**
 * A piece of CQL text.
 *
 * @param kind of token
 * @param text of it: identifiers and UUIDs in lower case, quoted names and strings without quotes
 * @param start of it in the source
 * @param end in the source, exclusive
 */
record Token(Kind kind, String text, int start, int end) {
  enum Kind {
    /** An unquoted word: a keyword or a name. */
    WORD,
    QUOTED_NAME,
    STRING,
    NUMBER,
    /** With its {@code 0x}. */
    HEX,
    UUID,
    /** One character. */
    SYMBOL,
    END
  }

  boolean isWord(String word) {
    return kind == Kind.WORD && text.equals(word);
  }

  boolean isSymbol(char symbol) {
    return kind == Kind.SYMBOL && text.charAt(0) == symbol;
  }

  /** Returns the token for an error message. */
  String shown() {
    return switch (kind) {
      case END -> "the end of the text";
      case STRING -> "the string '" + shortened() + "'";
      case QUOTED_NAME -> "the name \"" + shortened() + "\"";
      default -> "'" + shortened() + "'";
    };
  }

  private String shortened() {
    return text.length() > 60 ? text.substring(0, 60) + "..." : text;
  }
}
