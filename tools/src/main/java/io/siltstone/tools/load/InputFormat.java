package io.siltstone.tools.load;

import java.util.Locale;
import java.util.Optional;

/** The text formats of rows. */
enum InputFormat {
  /** JSON lines: one object per line. */
  JSONL,
  /** CSV: column names in the first line, then one row per line. */
  CSV;

  /** Returns the format that the ending of a file's name stands for. */
  static Optional<InputFormat> ofFileName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".jsonl") || lower.endsWith(".ndjson") || lower.endsWith(".json")) {
      return Optional.of(JSONL);
    }
    return lower.endsWith(".csv") ? Optional.of(CSV) : Optional.empty();
  }

  /** Returns a reader of the rows of a text. */
  RowSource rows(LineReader lines, InputColumns columns) {
    return this == CSV ? new CsvRows(lines, columns) : new JsonRows(lines, columns);
  }
}
