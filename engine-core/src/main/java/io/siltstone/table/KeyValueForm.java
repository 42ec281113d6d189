package io.siltstone.table;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlTypes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form of a table that can serve as a key-value store: its one key column and its one other
 * column are blobs, and its partitions are ordered by key. Writes to such a table always take
 * effect: see {@link TableTimestamps}.
 */
public final class KeyValueForm {
  private KeyValueForm() {}

  /** Returns why a table does not have the form, for the end of a message; null if it has. */
  public static @Nullable String violation(TableSchema schema, Partitioner partitioner) {
    if (partitioner != Partitioner.BYTE_ORDERED) {
      return "the partitioner of its database is "
          + partitioner.className()
          + ", allowed "
          + Partitioner.BYTE_ORDERED.className()
          + ", which keeps keys in order; DatabaseOptions.partitioner chooses it when the database is"
          + " created";
    }
    List<Column> keys = schema.partitionKeyColumns();
    List<Column> values = schema.regularColumns();
    boolean fits =
        keys.size() == 1
            && keys.get(0).type().equals(CqlTypes.BLOB)
            && schema.clusteringColumns().isEmpty()
            && !schema.hasStatic()
            && values.size() == 1
            && values.get(0).type().equals(CqlTypes.BLOB);
    return fits
        ? null
        : "it must have one key column of type blob, one other column of type blob, and no more";
  }
}
