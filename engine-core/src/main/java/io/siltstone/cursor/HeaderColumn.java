package io.siltstone.cursor;

import io.siltstone.schema.Column;
import io.siltstone.type.CqlType;
import java.util.Comparator;

/**
 * A column in the header of a file.
 *
 * @param name as written, without quotes
 * @param type of its values at the time of writing
 */
public record HeaderColumn(String name, CqlType type) {

  /** The order of cells in a row: simple before complex, then {@link Column#NAME_ORDER}. */
  public static final Comparator<HeaderColumn> CELL_ORDER =
      Comparator.comparing((HeaderColumn column) -> column.type().isMultiCell())
          .thenComparing(HeaderColumn::name, Column.NAME_ORDER);
}
