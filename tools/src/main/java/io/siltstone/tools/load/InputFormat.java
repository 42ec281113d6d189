package io.siltstone.tools.load;

import java.util.Locale;
import java.util.Optional;

/** How rows stand in a text. */
enum InputFormat {
  /** One JSON object a line. */
  JSONL,
  /** Column names in the first line, then a row a line. */
  CSV;

  /** What the end of a file's name says. */
  static Optional<InputFormat> ofFileName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".jsonl") || lower.endsWith(".ndjson") || lower.endsWith(".json")) {
      return Optional.of(JSONL);
    }
    return lower.endsWith(".csv") ? Optional.of(CSV) : Optional.empty();
  }

  /** Of the rows of a text. */
  RowSource rows(LineReader lines, InputColumns columns) {
    return this == CSV ? new CsvRows(lines, columns) : new JsonRows(lines, columns);
  }
}
