package io.siltstone;

import io.siltstone.mutation.Condition;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.schema.TableSchema;
import io.siltstone.table.TableReads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks the conditions of a conditional write, on a row and on the static columns of its
 * partition.
 */
final class ConditionCheck {
  private final List<Predicate<@Nullable Function<String, @Nullable ByteBuffer>>> ofRow =
      new ArrayList<>();
  private final List<Predicate<@Nullable Function<String, @Nullable ByteBuffer>>> ofStatics =
      new ArrayList<>();
  private final @Nullable Query row;
  private final Query statics;

  /**
   * @param clustering of the row; empty if the table has no clustering columns, or if all
   *     conditions are on static columns or on existence
   * @throws IllegalArgumentException if a condition or the clustering does not fit the table
   */
  ConditionCheck(Table table, PartitionKey key, List<?> clustering, List<Condition> conditions) {
    TableSchema schema = table.schema();
    int columns = schema.clusteringColumns().size();
    boolean hasRow = clustering.size() == columns;
    for (Condition condition : conditions) {
      if (!hasRow && !condition.isOnExistence() && !condition.isOnStatic(schema)) {
        throw new IllegalArgumentException(
            condition
                + " is on a row of "
                + table
                + ", of which "
                + clustering.size()
                + " of "
                + columns
                + " clustering values are given");
      }
      (condition.isOnStatic(schema) ? ofStatics : ofRow).add(condition.bind(schema));
    }
    if (!clustering.isEmpty() && !hasRow) {
      throw new IllegalArgumentException(
          clustering.size() + " clustering values, " + table + " has " + columns);
    }
    Query.Builder query = table.query().partition(key);
    if (columns > 0 && hasRow) {
      query.row(clustering.toArray());
    }
    // Without clustering values the partition stands for the row: it exists if it has anything.
    row = ofRow.isEmpty() ? null : query.limit(1).build();
    statics = table.query().partition(key).limit(1).build();
  }

  boolean holds(TableReads reads) throws IOException {
    return (row == null || all(ofRow, reads.first(row).orElse(null)))
        && (ofStatics.isEmpty() || all(ofStatics, reads.first(statics).orElse(null)));
  }

  /**
   * Returns the greatest timestamp of all that the conditions look at, deletions included; {@link
   * io.siltstone.cursor.DeletionTime#NO_TIMESTAMP} if there is nothing.
   */
  long newestTimestamp(TableReads reads) throws IOException {
    long newest = reads.newestTimestamp(statics, true);
    return row == null ? newest : Math.max(newest, reads.newestTimestamp(row, false));
  }

  private static boolean all(
      List<Predicate<@Nullable Function<String, @Nullable ByteBuffer>>> conditions,
      @Nullable Row present) {
    return conditions.stream()
        .allMatch(condition -> condition.test(present == null ? null : present::getSerialized));
  }
}
