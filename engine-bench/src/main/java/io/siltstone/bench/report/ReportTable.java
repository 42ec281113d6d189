package io.siltstone.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A table of figures, with figures in its headings. Immutable; made by {@link #builder}. */
public final class ReportTable implements Block {
  private final String title;
  private final List<Column> columns;
  private final List<List<@Nullable Object>> rows;

  private ReportTable(Builder builder) {
    title = builder.title;
    columns = List.copyOf(builder.columns);
    rows = List.copyOf(builder.rows);
  }

  /**
   * A column.
   *
   * @param name in JSON, in snake case, with the unit
   * @param head heading of the column
   * @param unit empty for none
   * @param digits number of decimals of numbers that are not whole; {@link #TEXT} for a column of
   *     text
   */
  public record Column(String name, String head, String unit, int digits) {
    /** The number of digits of a column without numbers. */
    public static final int TEXT = -1;

    /** Returns whether its cells are right-aligned numbers. */
    public boolean isNumber() {
      return digits != TEXT;
    }

    /** Returns heading and unit in one line. */
    public String fullHead() {
      return unit.isEmpty() ? head : head + ", " + unit;
    }
  }

  /**
   * Begins a table.
   *
   * @param title empty for none
   */
  public static Builder builder(String title) {
    return new Builder(title);
  }

  /** Returns the title, or an empty text. */
  public String title() {
    return title;
  }

  /** Returns the columns. */
  public List<Column> columns() {
    return columns;
  }

  /** Returns the rows; each has a text, a number or null for every column. */
  public List<List<@Nullable Object>> rows() {
    return rows;
  }

  /** Returns a cell as it is shown: numbers with separators, {@code -} for none. */
  String shown(int row, int column) {
    Object cell = rows.get(row).get(column);
    if (cell == null || (cell instanceof Double value && !Double.isFinite(value))) {
      return "-";
    }
    boolean isWhole = cell instanceof Long || cell instanceof Integer;
    int digits = isWhole ? 0 : columns.get(column).digits();
    return cell instanceof Number number
        ? String.format(Locale.ROOT, "%,." + Math.max(0, digits) + "f", number.doubleValue())
        : cell.toString();
  }

  /** Collects columns, then rows. Not safe for threads. */
  public static final class Builder {
    private final String title;
    private final List<Column> columns = new ArrayList<>();
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    private Builder(String title) {
      this.title = title;
    }

    /** Adds a column of texts. */
    public Builder text(String name, String head) {
      columns.add(new Column(name, head, "", Column.TEXT));
      return this;
    }

    /** Adds a column of numbers; see {@link Column}. */
    public Builder number(String name, String head, String unit, int digits) {
      if (digits < 0 || digits > 9) {
        throw new IllegalArgumentException(name + ": " + digits + " digits, allowed 0 to 9");
      }
      columns.add(new Column(name, head, unit, digits));
      return this;
    }

    /**
     * Adds a row.
     *
     * @param cells a text, a number or null for each column; a number that is not finite is shown
     *     like null
     * @throws IllegalArgumentException if there are more or fewer, or one does not fit its column
     */
    public Builder row(@Nullable Object... cells) {
      if (cells.length != columns.size()) {
        throw new IllegalArgumentException(
            cells.length + " cells, expected " + columns.size() + " in table '" + title + "'");
      }
      for (int i = 0; i < cells.length; i++) {
        if (cells[i] != null && cells[i] instanceof Number != columns.get(i).isNumber()) {
          throw new IllegalArgumentException(
              cells[i] + " in column " + columns.get(i).name() + " of table '" + title + "'");
        }
      }
      rows.add(Collections.unmodifiableList(Arrays.asList(cells.clone())));
      return this;
    }

    /** Returns the table. */
    public ReportTable build() {
      return new ReportTable(this);
    }
  }
}
