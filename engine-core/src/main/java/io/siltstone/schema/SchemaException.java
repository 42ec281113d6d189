package io.siltstone.schema;

import io.siltstone.text.PrintableText;

/**
 * Thrown for invalid schema text or an invalid table. The message begins with the place, if there
 * is text, and says what was found and what is allowed.
 */
public final class SchemaException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  /** Creates an exception for a schema that does not come from text. */
  public SchemaException(String message) {
    super(PrintableText.of(message));
    this.line = 0;
    this.column = 0;
  }

  /** Creates an exception for a place in text, counted from 1. */
  SchemaException(int line, int column, String message) {
    super(PrintableText.of(line + ":" + column + ": " + message));
    this.line = line;
    this.column = column;
  }

  /** Returns the line of the text, from 1; 0 if there was no text. */
  public int line() {
    return line;
  }

  /** Returns the column of the line in UTF-16 units, from 1; 0 if there was no text. */
  public int column() {
    return column;
  }
}
