package io.siltstone.tools.load;

import java.util.List;

/** Formats a row as a line of CSV. Columns without a value are empty, without quotes. */
final class CsvRowText implements RowText {
  private final ValueText values = new CsvValueText();

  @Override
  public ValueText values() {
    return values;
  }

  @Override
  public void appendHeader(List<String> names, StringBuilder out) {
    for (int i = 0; i < names.size(); i++) {
      out.append(i == 0 ? "" : ",");
      CsvText.appendField(ColumnNames.toText(names.get(i)), out);
    }
    out.append('\n');
  }

  @Override
  public void append(List<String> names, OutputRow row, StringBuilder out) {
    for (int i = 0; i < names.size(); i++) {
      out.append(i == 0 ? "" : ",");
      if (row.has(i)) {
        row.appendTo(out, i);
      }
    }
    out.append('\n');
  }
}
