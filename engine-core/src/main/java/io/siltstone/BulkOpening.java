package io.siltstone;

import io.siltstone.bulk.BulkLoad;
import io.siltstone.bulk.BulkTarget;
import io.siltstone.bulk.DirectoryTarget;
import io.siltstone.bulk.Division;
import io.siltstone.bulk.LoadClocks;
import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.Directory;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.table.DatabaseLayout;
import io.siltstone.table.KeyValueForm;
import io.siltstone.table.TableStore;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Checks the options of a {@link BulkWriter}, and opens it. */
final class BulkOpening {
  /**
   * How many microseconds before all data of the table {@link BulkWriter.Builder#behind} begins.
   */
  private static final long BEHIND_MICROS = 1L << 36;

  private static final long LEAST_MEMORY_BYTES = 8L << 10;
  private static final long MOST_MEMORY_BYTES = 1L << 40;

  private final BulkWriter.Builder options;

  BulkOpening(BulkWriter.Builder options) {
    this.options = options;
  }

  /** Opens the writer; see {@link BulkWriter.Builder#open}. */
  BulkWriter open() throws IOException {
    check();
    Table into = options.table;
    if (into != null) {
      return into.engine().inside(() -> open(into));
    }
    return open(Objects.requireNonNull(options.directory), Objects.requireNonNull(options.schema));
  }

  private void check() {
    List<String> wrong = new ArrayList<>();
    if (options.memoryBytes < LEAST_MEMORY_BYTES || options.memoryBytes > MOST_MEMORY_BYTES) {
      wrong.add(
          "memoryBytes "
              + options.memoryBytes
              + ", allowed "
              + LEAST_MEMORY_BYTES
              + " to "
              + MOST_MEMORY_BYTES);
    }
    if (options.maxSSTableBytes < 1) {
      wrong.add("maxSSTableBytes " + options.maxSSTableBytes + ", allowed 1 or more");
    }
    FormatVersion version = options.version;
    if (version != null && !version.isWritable()) {
      wrong.add("version " + version.text() + ", which is read, not written");
    }
    checkTarget(wrong);
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", wrong));
    }
  }

  private void checkTarget(List<String> wrong) {
    Table table = options.table;
    TableSchema schema;
    if (table == null) {
      schema = Objects.requireNonNull(options.schema);
      if (options.isBehind) {
        wrong.add("behind, allowed for a table of an open database");
      }
    } else {
      schema = table.schema();
      Partitioner present = table.store().partitioner();
      if (options.partitioner != null && options.partitioner != present) {
        wrong.add("partitioner " + options.partitioner + ", allowed " + present);
      }
      if (options.encoding != null) {
        wrong.add("encoding, allowed for a directory");
      }
    }
    if (schema.isCounter()) {
      wrong.add(
          schema.keyspace()
              + "."
              + schema.name()
              + " has counters, which cannot be loaded: a counter is the sum of what its writers"
              + " added");
    }
  }

  private BulkLoad load(BulkTarget target, RowEncoding encoding) throws IOException {
    return new BulkLoad(
        target,
        new BulkLoad.Settings(
            options.memoryBytes,
            new Division(options.tokens, options.maxSSTableBytes),
            options.version,
            options.compression,
            options.verification,
            options.isLaterRows),
        encoding,
        options.progress);
  }

  private BulkWriter open(Table into) throws IOException {
    TableStore store = into.store();
    MutationFactory mutations = store.mutations();
    BulkLoad load = load(new TableTarget(into.engine(), store), mutations.encoding());
    try {
      return new BulkWriter(
          new BulkDestination(
              store.toString(),
              into.engine(),
              mutations,
              store.partitioner(),
              clock(store, mutations.schema(), into.engine().services.clock()),
              options.isBehind),
          load);
    } catch (Throwable e) {
      Closeables.closeAfter(load, e);
      throw e;
    }
  }

  private WriteClock clock(TableStore store, TableSchema schema, WriteClock clock) {
    if (options.isBehind) {
      return LoadClocks.from(firstBehind(store, clock), clock);
    }
    return KeyValueForm.violation(schema, store.partitioner()) == null
        ? LoadClocks.after(store.timestampOfNow(), clock)
        : clock;
  }

  /** Returns the first of the timestamps of a load that is older than all that a table has. */
  private static long firstBehind(TableStore store, WriteClock clock) {
    LiveTables live = store.liveSet().live();
    long least = Math.min(clock.reachedMicros(), live.memtableMinTimestamp());
    for (LiveTable table : live.tables()) {
      least = Math.min(least, table.minTimestamp());
    }
    if (least < BEHIND_MICROS) {
      throw new IllegalStateException(
          store
              + " has data of the timestamp "
              + least
              + ", behind which nothing can be loaded: allowed are timestamps from "
              + BEHIND_MICROS
              + " on");
    }
    return least - BEHIND_MICROS;
  }

  private BulkWriter open(Directory into, TableSchema schema) throws IOException {
    FormatVersion version =
        options.version != null ? options.version : DatabaseLayout.versionOf(into);
    Partitioner partitioner =
        options.partitioner != null
            ? options.partitioner
            : DatabaseLayout.partitionerOf(into, false);
    WriteClock clock = WriteClock.following(Clock.systemUTC());
    @Nullable RowEncoding given = options.encoding;
    RowEncoding encoding = given != null ? given : encoding(schema, version, clock);
    MutationFactory mutations =
        new MutationFactory(
            schema,
            encoding,
            partitioner,
            clock,
            new ListPaths(clock::reached, UUID.randomUUID().getLeastSignificantBits()));
    BulkLoad load = load(new DirectoryTarget(into, schema, partitioner, version), encoding);
    return new BulkWriter(
        new BulkDestination(into.path(), null, mutations, partitioner, clock, false), load);
  }

  private static RowEncoding encoding(TableSchema schema, FormatVersion version, WriteClock clock) {
    long now = clock.nowSeconds();
    return RowEncoding.of(
        schema,
        new EncodingStats(
            TimeUnit.SECONDS.toMicros(now),
            // Cassandra misreads a base greater than 2³¹ s.
            Math.max(0, Math.min(now, Integer.MAX_VALUE)),
            EncodingStats.TTL_EPOCH),
        version.hasUnsignedDeletionTimes());
  }
}
