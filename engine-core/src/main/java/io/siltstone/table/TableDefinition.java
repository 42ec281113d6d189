package io.siltstone.table;

import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.commitlog.segment.LogTable;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.rows.QueryFactory;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The present definition of a table, and what is derived from it. An altered table gets a new
 * object. Immutable, safe for all threads.
 *
 * @param id of the table
 * @param schema with that id
 * @param encoding of mutations, of their records in the log, and of the memtable, so that a row is
 *     copied without change from one to the next, and to the SSTable
 * @param mutations makes mutations in that encoding
 * @param queries begins queries of the table
 * @param keyValueViolation why the table cannot be a key-value store; null if it can
 * @param log represents the table in the commit log; null as long as there is none
 */
record TableDefinition(
    TableId id,
    TableSchema schema,
    RowEncoding encoding,
    MutationFactory mutations,
    QueryFactory queries,
    @Nullable String keyValueViolation,
    @Nullable LogTable log) {

  /**
   * Returns the definition of a table from now on. Times are encoded as differences to the present
   * time, which makes them short.
   *
   * @param schema with an id
   */
  static TableDefinition of(TableSchema schema, Services services) {
    TableId id = new TableId(schema.keyspace(), schema.name(), schema.id().orElseThrow());
    long now = services.clock().nowSeconds();
    RowEncoding encoding =
        RowEncoding.of(
            schema,
            new EncodingStats(
                TimeUnit.SECONDS.toMicros(now),
                // Cassandra misreads a base greater than 2³¹ s.
                Math.max(0, Math.min(now, Integer.MAX_VALUE)),
                EncodingStats.TTL_EPOCH),
            services.settings().version().hasUnsignedDeletionTimes());
    return new TableDefinition(
        id,
        schema,
        encoding,
        new MutationFactory(
            schema, encoding, services.partitioner(), services.clock(), services.paths()),
        new QueryFactory(schema, services.partitioner()),
        KeyValueForm.violation(schema, services.partitioner()),
        null);
  }

  /**
   * Returns the same definition with a log, to which changes will be written.
   *
   * @throws IllegalArgumentException if the log refuses it, as it is too large
   */
  TableDefinition withLog(CommitLog to) {
    LogTable table = to.table(id.id(), id.toString(), LoggedTableHeader.encode(schema, encoding));
    return new TableDefinition(id, schema, encoding, mutations, queries, keyValueViolation, table);
  }

  /**
   * Returns the same definition with a log, for a table that was created before: each log has the
   * same limit.
   */
  TableDefinition continuedIn(CommitLog to) {
    LogTable table =
        to.knownTable(id.id(), id.toString(), () -> LoggedTableHeader.encode(schema, encoding));
    return new TableDefinition(id, schema, encoding, mutations, queries, keyValueViolation, table);
  }

  /** Returns whether changes of the table are written to the log. */
  boolean isLogged() {
    return schema.options().durableWrites();
  }

  /** Returns keyspace and name. */
  @Override
  public String toString() {
    return id.toString();
  }
}
