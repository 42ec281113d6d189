package io.siltstone.tools.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Objects;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows from CSV (RFC 4180), with column names in the first line. An empty field without
 * quotes is not written; one with quotes is the empty value. Values are in CQL's form, those of
 * scalar types without its quotes. Quoted fields may extend over several lines.
 */
final class CsvRows implements RowSource {
  private final LineReader lines;
  private final InputColumns columns;
  private final CsvLines text;

  /** The records of a parser, which continues to the end or to the first wrong record. */
  private @Nullable Iterator<CSVRecord> records;

  private int @Nullable [] columnOf;

  CsvRows(LineReader lines, InputColumns columns) {
    this.lines = lines;
    this.columns = columns;
    this.text = new CsvLines(lines);
  }

  @Override
  public boolean next(RowBuilder row) throws IOException {
    if (columnOf == null) {
      columnOf = header();
    }
    CSVRecord fields = nextRecord();
    if (fields == null) {
      return false;
    }
    if (fields.size() != columnOf.length) {
      throw new BadRowException(
          fields.size() + " fields, the first line has " + columnOf.length + " column names");
    }
    row.begin();
    for (int i = 0; i < columnOf.length; i++) {
      String value = fields.get(i);
      if (value == null) {
        continue;
      }
      InputColumn column = columns.get(columnOf[i]);
      try {
        ByteSink out = row.beginValue(columnOf[i]);
        column.codec().fromText(value, out);
        row.endValue(columnOf[i]);
      } catch (IllegalArgumentException e) {
        throw new BadRowException("column '" + column.name() + "': " + e.getMessage(), e);
      }
    }
    return true;
  }

  /** Returns the column of each field; empty if there is no first line. */
  private int[] header() throws IOException {
    try {
      CSVRecord names = nextRecord();
      if (names == null) {
        return new int[0];
      }
      int[] indexes = new int[names.size()];
      for (int i = 0; i < indexes.length; i++) {
        String name = Objects.requireNonNullElse(names.get(i), "");
        // White space around a name is ignored, unless it is part of the name.
        indexes[i] = columns.indexOf(columns.has(name) ? name : name.strip());
        for (int before = 0; before < i; before++) {
          if (indexes[before] == indexes[i]) {
            throw new HeaderException(
                "column '" + name + "' is named twice in the first line", null);
          }
        }
      }
      return indexes;
    } catch (BadRowException | IllegalArgumentException e) {
      throw new HeaderException("the first line names the columns: " + e.getMessage(), e);
    }
  }

  private @Nullable CSVRecord nextRecord() throws IOException {
    text.beginRecord();
    try {
      if (records == null) {
        records = CSVParser.builder().setReader(text).setFormat(CsvText.FORMAT).get().iterator();
      }
      CSVRecord next = records.hasNext() ? records.next() : null;
      if (next != null) {
        checkQuotes(next);
      }
      return next;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof CSVException) {
        throw badRecord(e);
      }
      throw e.getCause();
    } catch (BadRowException e) {
      skipRest();
      throw e;
    }
  }

  private BadRowException badRecord(UncheckedIOException e) {
    boolean open = text.isAtEnd();
    skipRest();
    return new BadRowException(
        open ? "a quoted field has no closing quote" : "text after a closing quote, allowed ','",
        e);
  }

  /** Skips the rest of a record within which the parser has failed. */
  private void skipRest() {
    records = null;
    text.skipLine();
  }

  /** Rejects quotes within an unquoted field, which the parser would take as part of the text. */
  private void checkQuotes(CSVRecord fields) {
    for (String value : fields) {
      if (value != null && value.indexOf('"') >= 0) {
        String quoted = '"' + value.replace("\"", "\"\"") + '"';
        if (!text.recordContains(quoted)) {
          throw new BadRowException(
              "a quote within a field without quotes; enclose such a field in quotes, and"
                  + " double its own");
        }
      }
    }
  }

  @Override
  public long lineNumber() {
    return text.firstLine();
  }

  @Override
  public long bytesRead() {
    return lines.bytesRead();
  }
}
