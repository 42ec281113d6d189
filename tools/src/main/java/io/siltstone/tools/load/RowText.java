package io.siltstone.tools.load;

import java.util.List;

/** How rows are printed. */
interface RowText {
  /** How values are. */
  ValueText values();

  /** What stands before all rows. */
  void appendHeader(List<String> names, StringBuilder out);

  /** A row, with the end of its line. */
  void append(List<String> names, OutputRow row, StringBuilder out);

  /** Of the format. */
  static RowText of(InputFormat format) {
    return format == InputFormat.CSV ? new CsvRowText() : new JsonRowText();
  }
}
