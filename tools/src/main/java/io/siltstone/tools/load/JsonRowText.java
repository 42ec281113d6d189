package io.siltstone.tools.load;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.List;

/** Formats a row as a JSON object on one line. Columns without a value are omitted. */
final class JsonRowText implements RowText {
  private final ValueText values = new JsonValueText();

  @Override
  public ValueText values() {
    return values;
  }

  @Override
  public void appendHeader(List<String> names, StringBuilder out) {}

  @Override
  public void append(List<String> names, OutputRow row, StringBuilder out) {
    out.append('{');
    boolean first = true;
    for (int i = 0; i < names.size(); i++) {
      if (row.has(i)) {
        out.append(first ? "" : ", ");
        appendString(ColumnNames.toText(names.get(i)), out);
        out.append(": ");
        row.appendTo(out, i);
        first = false;
      }
    }
    out.append("}\n");
  }

  /** Appends a text as a JSON string, in quotes. */
  static void appendString(String text, StringBuilder out) {
    out.append('"');
    JsonStringEncoder.getInstance().quoteAsString(text, out);
    out.append('"');
  }
}
