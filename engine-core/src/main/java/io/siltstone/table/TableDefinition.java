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
 * What a table is at present, and all that depends on it. A table that is altered gets another one.
 * Immutable, safe for all threads.
 *
 * @param id of the table
 * @param schema with that id
 * @param encoding of mutations, of their records in the log, and of the memtable, so that a row is
 *     copied as it is from the one to the other, and to the SSTable
 * @param mutations makes mutations in that encoding
 * @param queries begins queries of it
 * @param keyValueViolation why the table cannot be a key-value store; null if it can
 * @param log stands for the table in the commit log; null as long as there is none
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
   * Of a table as from now on. Times are written as differences to the present, which makes them
   * short.
   *
   * @param schema with an id
   * @param log that it will be written to, or null
   */
  static TableDefinition of(TableSchema schema, Services services, @Nullable CommitLog log) {
    TableId id = new TableId(schema.keyspace(), schema.name(), schema.id().orElseThrow());
    long now = services.clock().nowSeconds();
    RowEncoding encoding =
        RowEncoding.of(
            schema,
            new EncodingStats(
                TimeUnit.SECONDS.toMicros(now),
                // What lies above 2³¹ s Cassandra does not read rightly as a base.
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
        log == null
            ? null
            : log.table(id.id(), id.toString(), LoggedTableHeader.encode(schema, encoding)));
  }

  /** The table's names. */
  @Override
  public String toString() {
    return id.toString();
  }
}
