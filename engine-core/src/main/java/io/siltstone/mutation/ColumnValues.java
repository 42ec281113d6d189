package io.siltstone.mutation;

import org.jspecify.annotations.Nullable;

/** The values of a row that exists, as conditions see them. */
@FunctionalInterface
public interface ColumnValues {

  /**
   * The value of a column.
   *
   * @param column name of a static or regular column of the table, without quotes
   * @return of the class that the column's type decodes to; null if there is none
   */
  @Nullable Object get(String column);
}
