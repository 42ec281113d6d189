package io.siltstone.mutation;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The present values of a row, for conditions. */
@FunctionalInterface
public interface ColumnValues {

  /**
   * Returns the stored value of a column.
   *
   * @param column name of a static or regular column of the table, without quotes
   * @return the serialized value, which callers must not modify; for a multi-cell column that of
   *     the frozen type; null if there is none
   */
  @Nullable ByteBuffer getSerialized(String column);
}
