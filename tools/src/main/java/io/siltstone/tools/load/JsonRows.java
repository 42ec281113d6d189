package io.siltstone.tools.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Rows from JSON lines: one object a line, column → value. Empty lines are passed over. */
final class JsonRows implements RowSource {
  private final LineReader lines;
  private final InputColumns columns;
  private final JsonReader json = new JsonReader();

  // The fields of the line before, as they came: the next line most often has the same.
  private byte[][] expectedNames = new byte[16][];
  private int[] expectedColumns = new int[16];
  private int expectedCount;

  JsonRows(LineReader lines, InputColumns columns) {
    this.lines = lines;
    this.columns = columns;
  }

  @Override
  public boolean next(RowBuilder row) throws IOException {
    do {
      if (!lines.next()) {
        return false;
      }
      checkUtf8(lines);
      json.wrap(lines.bytes(), lines.from(), lines.to());
    } while (json.atEnd());
    row.begin();
    read(row);
    return true;
  }

  static void checkUtf8(LineReader lines) {
    int bad = Utf8Check.firstBad(lines.bytes(), lines.from(), lines.to());
    if (bad < lines.to()) {
      throw new BadRowException(
          "byte "
              + (bad - lines.from() + 1)
              + " is 0x"
              + Integer.toHexString(lines.bytes()[bad] & 0xff)
              + ", which is no UTF-8");
    }
  }

  private void read(RowBuilder row) {
    String column = null;
    try {
      json.beginObject();
      for (int field = 0; json.nextField(field == 0); field++) {
        int index = columnOf(field);
        column = columns.get(index).name();
        if (json.peek() == JsonReader.Kind.NULL) {
          json.nullValue();
          row.setNull(index);
        } else {
          ByteSink out = row.beginValue(index);
          columns.get(index).codec().fromJson(json, out);
          row.endValue(index);
        }
        // What is wrong from here on is not the value's.
        column = null;
      }
      json.end();
    } catch (IllegalArgumentException e) {
      String where = column == null ? "" : "column '" + column + "': ";
      throw new BadRowException(where + e.getMessage(), e);
    }
  }

  private int columnOf(int field) {
    byte[] text = json.text();
    int from = json.textFrom();
    int to = json.textTo();
    if (field < expectedCount) {
      byte[] expected = expectedNames[field];
      if (Arrays.equals(expected, 0, expected.length, text, from, to)) {
        return expectedColumns[field];
      }
    }
    int index = columns.indexOf(new String(text, from, to - from, StandardCharsets.UTF_8));
    if (field == expectedNames.length) {
      expectedNames = Arrays.copyOf(expectedNames, 2 * field);
      expectedColumns = Arrays.copyOf(expectedColumns, 2 * field);
    }
    expectedNames[field] = Arrays.copyOfRange(text, from, to);
    expectedColumns[field] = index;
    expectedCount = Math.max(expectedCount, field + 1);
    return index;
  }

  @Override
  public long lineNumber() {
    return lines.lineNumber();
  }

  @Override
  public long bytesRead() {
    return lines.bytesRead();
  }
}
