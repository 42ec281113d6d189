package io.siltstone.tools.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.QuoteMode;

/**
 * CSV as in RFC 4180, where an empty field without quotes is a missing value, and one with quotes
 * is the empty value. Values are printed in quotes.
 */
final class CsvText {
  static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setIgnoreEmptyLines(true)
          .setNullString("")
          .setQuoteMode(QuoteMode.ALL_NON_NULL)
          .get();

  private CsvText() {}

  /** Appends a text as a field. */
  static void appendField(String text, StringBuilder out) {
    try {
      FORMAT.print(text, out, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
