package io.siltstone.schema;

import io.siltstone.text.PrintableText;

/**
 * Schema text that cannot be read, or a table that cannot be. The message begins with the place, if
 * it came from text, and says what was found and what is allowed.
 */
public final class SchemaException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  /** Of a schema that was not made from text. */
  public SchemaException(String message) {
    super(PrintableText.of(message));
    this.line = 0;
    this.column = 0;
  }

  /** Of a place in text, counted from 1. */
  SchemaException(int line, int column, String message) {
    super(PrintableText.of(line + ":" + column + ": " + message));
    this.line = line;
    this.column = column;
  }

  /** Line of the text, from 1; 0 if there was no text. */
  public int line() {
    return line;
  }

  /** Column of that line in UTF-16 units, from 1; 0 if there was no text. */
  public int column() {
    return column;
  }
}
