package io.siltstone.tools.load;

import java.util.List;

/** Formats rows. */
interface RowText {
  /** Returns the format of values. */
  ValueText values();

  /** Appends what precedes all rows. */
  void appendHeader(List<String> names, StringBuilder out);

  /** Appends a row, with the end of its line. */
  void append(List<String> names, OutputRow row, StringBuilder out);

  /** Returns the formatter of a format. */
  static RowText of(InputFormat format) {
    return format == InputFormat.CSV ? new CsvRowText() : new JsonRowText();
  }
}
