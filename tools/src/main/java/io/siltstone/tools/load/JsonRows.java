package io.siltstone.tools.load;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.CharBuffer;
import org.jspecify.annotations.Nullable;

/** Reads rows from JSON lines: one object per line, column → value. Empty lines are skipped. */
final class JsonRows implements RowSource {
  private final LineReader lines;
  private final InputColumns columns;

  JsonRows(LineReader lines, InputColumns columns) {
    this.lines = lines;
    this.columns = columns;
  }

  @Override
  public boolean next(RowBuilder row) throws IOException {
    while (lines.next()) {
      if (read(lines.text(), row)) {
        return true;
      }
    }
    return false;
  }

  /** Reads a line; returns false if it is blank. */
  private boolean read(CharBuffer line, RowBuilder row) throws IOException {
    String column = null;
    try (JsonParser json = JsonInput.parser(line.array(), line.length())) {
      JsonToken first = json.nextToken();
      if (first == null) {
        return false;
      }
      if (first != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException(
            "not a JSON object: expected '{', found '" + Excerpt.of(line.toString()) + "'");
      }
      row.begin();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        int index = columns.indexOf(json.currentName());
        column = columns.get(index).name();
        if (json.nextToken() == JsonToken.VALUE_NULL) {
          row.setNull(index);
        } else {
          ByteSink out = row.beginValue(index);
          columns.get(index).codec().fromJson(json, out);
          row.endValue(index);
        }
        // Errors from here on do not belong to the value of the column.
        column = null;
      }
      JsonInput.checkEnd(json);
      return true;
    } catch (JacksonException e) {
      throw badRow(column, JsonInput.refused(e));
    } catch (IllegalArgumentException e) {
      throw badRow(column, e);
    }
  }

  private static BadRowException badRow(@Nullable String column, IllegalArgumentException e) {
    String where = column == null ? "" : "column '" + column + "': ";
    return new BadRowException(where + e.getMessage(), e);
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
