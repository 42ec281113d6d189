package io.siltstone.mutation;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The values of a row that exists, as conditions see them. */
@FunctionalInterface
public interface ColumnValues {

  /**
   * The value of a column as it is stored.
   *
   * @param column name of a static or regular column of the table, without quotes
   * @return the serialized value, not written to, of a multi-cell column that of the frozen type;
   *     null if there is none
   */
  @Nullable ByteBuffer getSerialized(String column);
}
