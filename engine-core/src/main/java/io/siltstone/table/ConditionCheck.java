package io.siltstone.table;

import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.mutation.Condition;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks the conditions of a conditional write, on a row and on the static columns of its
 * partition, and assigns the timestamp of the write.
 *
 * <p>Used by one thread; {@link #decide} is called with the lock of the partition's shard held.
 */
public final class ConditionCheck implements MutationWriter.Decision {
  private final TableStore store;
  private final TableReads reads;
  private final WriteClock clock;
  private final Mutation mutation;
  private final List<Predicate<@Nullable Function<String, @Nullable ByteBuffer>>> ofRow =
      new ArrayList<>();
  private final List<Predicate<@Nullable Function<String, @Nullable ByteBuffer>>> ofStatics =
      new ArrayList<>();
  private final @Nullable Query row;
  private final Query statics;

  /**
   * @param mutation must not have explicit timestamps
   * @param clustering of the row; empty if the table has no clustering columns, or if all
   *     conditions are on static columns or on existence
   * @throws IllegalArgumentException if a condition or the clustering does not fit the table, or
   *     the mutation has explicit timestamps
   */
  public ConditionCheck(
      TableStore store,
      TableReads reads,
      WriteClock clock,
      Mutation mutation,
      List<?> clustering,
      List<Condition> conditions) {
    if (!mutation.hasAutomaticTimestamp() && !mutation.isEmpty()) {
      throw new IllegalArgumentException(
          "the " + mutation + " has timestamps of its own, and cannot be written on conditions");
    }
    this.store = store;
    this.reads = reads;
    this.clock = clock;
    this.mutation = mutation;
    TableSchema schema = store.schema();
    int columns = schema.clusteringColumns().size();
    boolean hasRow = clustering.size() == columns;
    for (Condition condition : conditions) {
      if (!hasRow && !condition.isOnExistence() && !condition.isOnStatic(schema)) {
        throw new IllegalArgumentException(
            condition
                + " is on a row of "
                + store
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
          clustering.size() + " clustering values, " + store + " has " + columns);
    }
    store.requireOpen();
    Query.Builder query = store.queries().query().partition(mutation.key());
    if (columns > 0 && hasRow) {
      query.row(clustering.toArray());
    }
    // Without clustering values the partition stands for the row: it exists if it has any content.
    row = ofRow.isEmpty() ? null : query.limit(1).build();
    statics = store.queries().query().partition(mutation.key()).limit(1).build();
  }

  /** Returns the mutation with its timestamp; null if not all conditions hold. */
  @Override
  public @Nullable Mutation decide() throws IOException {
    return holds() ? mutation.withTimestamp(timestamp()) : null;
  }

  private boolean holds() throws IOException {
    return (row == null || all(ofRow, reads.first(row).orElse(null)))
        && (ofStatics.isEmpty() || all(ofStatics, reads.first(statics).orElse(null)));
  }

  /**
   * Returns a timestamp that is greater than those of what the conditions have seen, even if these
   * are ahead of the clock. Otherwise a write that was reported as done would have no effect.
   */
  private long timestamp() throws IOException {
    long next = clock.nextTimestampMicros();
    if (!store.mayHaveNewer(MutationFactory.keyOf(mutation), next)) {
      return next;
    }
    long seen = newestSeen();
    if (seen == Long.MAX_VALUE) {
      throw new IllegalStateException(
          "the "
              + mutation
              + " is not written: what its conditions look at has the timestamp "
              + seen
              + ", and there is none after it");
    }
    return Math.max(next, seen + 1);
  }

  /**
   * Returns the greatest timestamp of all that the conditions read, including deletions; {@link
   * DeletionTime#NO_TIMESTAMP} if there is nothing.
   */
  private long newestSeen() throws IOException {
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
