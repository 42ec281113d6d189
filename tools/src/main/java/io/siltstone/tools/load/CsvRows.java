package io.siltstone.tools.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Rows from CSV (RFC 4180): column names in the first line; a field without quotes that is empty is
 * not written, one with quotes is the empty value. Values are in CQL's form, those of scalar types
 * without its quotes. Quoted fields may reach over several lines.
 */
final class CsvRows implements RowSource {
  private final LineReader lines;
  private final InputColumns columns;
  private final ByteSink fields = new ByteSink(1024);
  private int[] from = new int[16];
  private int[] to = new int[16];
  private boolean[] quoted = new boolean[16];
  private int count;
  private int[] columnOf = {};
  private long firstLine;
  private boolean started;

  CsvRows(LineReader lines, InputColumns columns) {
    this.lines = lines;
    this.columns = columns;
  }

  @Override
  public boolean next(RowBuilder row) throws IOException {
    if (!started) {
      started = true;
      if (!header()) {
        return false;
      }
    }
    if (!record()) {
      return false;
    }
    if (count != columnOf.length) {
      throw new BadRowException(
          count + " fields, the first line has " + columnOf.length + " column names");
    }
    row.begin();
    for (int i = 0; i < count; i++) {
      if (from[i] == to[i] && !quoted[i]) {
        continue;
      }
      InputColumn column = columns.get(columnOf[i]);
      try {
        ByteSink out = row.beginValue(columnOf[i]);
        column.codec().fromText(fields.bytes(), from[i], to[i], out);
        row.endValue(columnOf[i]);
      } catch (IllegalArgumentException e) {
        throw new BadRowException("column '" + column.name() + "': " + e.getMessage(), e);
      }
    }
    return true;
  }

  private boolean header() throws IOException {
    try {
      if (!record()) {
        return false;
      }
    } catch (BadRowException e) {
      throw new HeaderException("the first line names the columns: " + e.getMessage(), e);
    }
    readHeader();
    return true;
  }

  private void readHeader() {
    columnOf = new int[count];
    for (int i = 0; i < count; i++) {
      String text = new String(fields.bytes(), from[i], to[i] - from[i], StandardCharsets.UTF_8);
      String name = quoted[i] ? text : text.strip();
      try {
        columnOf[i] = columns.indexOf(name);
      } catch (IllegalArgumentException e) {
        throw new HeaderException("the first line names the columns: " + e.getMessage(), e);
      }
      for (int before = 0; before < i; before++) {
        if (columnOf[before] == columnOf[i]) {
          throw new HeaderException("column '" + name + "' is named twice in the first line", null);
        }
      }
    }
  }

  /** Reads the fields of the next record; empty lines between records are passed over. */
  private boolean record() throws IOException {
    do {
      firstLine = lines.lineNumber() + 1;
      if (!lines.next()) {
        return false;
      }
      JsonRows.checkUtf8(lines);
    } while (lines.from() == lines.to());
    fields.clear();
    count = 0;
    int at = lines.from();
    while (true) {
      at = field(at);
      if (at == lines.to()) {
        return true;
      }
      // field() stops at a comma or at the end.
      at++;
      if (at == lines.to()) {
        addField(fields.length(), false);
        return true;
      }
    }
  }

  /** Reads the field that begins at the index; returns the index behind it. */
  private int field(int start) throws IOException {
    byte[] bytes = lines.bytes();
    int begin = fields.length();
    if (start < lines.to() && bytes[start] == '"') {
      int at = quotedField(start + 1);
      addField(begin, true);
      if (at < lines.to() && lines.bytes()[at] != ',') {
        throw new BadRowException(
            "byte " + (at - lines.from() + 1) + ": text behind a closing quote, allowed ','");
      }
      return at;
    }
    int at = start;
    while (at < lines.to() && bytes[at] != ',') {
      if (bytes[at] == '"') {
        throw new BadRowException(
            "byte "
                + (at - lines.from() + 1)
                + ": a quote within a field without quotes; such a field stands between quotes, its"
                + " own doubled");
      }
      at++;
    }
    fields.put(bytes, start, at - start);
    addField(begin, false);
    return at;
  }

  /** Appends what stands between quotes; returns the index behind the closing one. */
  private int quotedField(int start) throws IOException {
    int at = start;
    while (true) {
      byte[] bytes = lines.bytes();
      int to = lines.to();
      int from = at;
      while (at < to && bytes[at] != '"') {
        at++;
      }
      fields.put(bytes, from, at - from);
      if (at == to) {
        fields.put(bytes, to, lines.terminatorLength());
        if (fields.length() > lines.maxLineBytes()) {
          throw new BadRowException(
              "the row has more than " + lines.maxLineBytes() + " bytes allowed");
        }
        if (!lines.next()) {
          throw new BadRowException("a quoted field has no closing quote");
        }
        JsonRows.checkUtf8(lines);
        at = lines.from();
      } else if (at + 1 < to && bytes[at + 1] == '"') {
        fields.put('"');
        at += 2;
      } else {
        return at + 1;
      }
    }
  }

  private void addField(int begin, boolean isQuoted) {
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
      quoted = Arrays.copyOf(quoted, 2 * count);
    }
    from[count] = begin;
    to[count] = fields.length();
    quoted[count] = isQuoted;
    count++;
  }

  @Override
  public long lineNumber() {
    return firstLine;
  }

  @Override
  public long bytesRead() {
    return lines.bytesRead();
  }
}
