package io.siltstone.mutation;

import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.TableModel;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A table whose clock stands still at {@link #NOW}, and its mutations as text. */
final class TestTable {
  /** Seconds since 1970. */
  static final long NOW = 1_700_000_000L;

  /** Every automatic timestamp. */
  static final long MICROS = NOW * 1_000_000;

  private static final class StoppedClock implements WriteClock {
    @Override
    public void continueAfter(long timestampMicros) {}

    @Override
    public long lastTimestampMicros() {
      return nextTimestampMicros();
    }

    @Override
    public long nextTimestampMicros() {
      return MICROS;
    }

    @Override
    public long reachedMicros() {
      return TimeUnit.SECONDS.toMicros(NOW);
    }

    @Override
    public long nowSeconds() {
      return NOW;
    }
  }

  private final MutationFactory factory;

  private TestTable(TableSchema schema, boolean unsigned) {
    InstantSource source = InstantSource.fixed(Instant.ofEpochSecond(NOW));
    this.factory =
        new MutationFactory(
            schema,
            RowEncoding.of(schema, EncodingStats.NONE, unsigned),
            Partitioner.MURMUR3,
            new StoppedClock(),
            new ListPaths(source, 7));
  }

  static TestTable of(TableSchema schema) {
    return new TestTable(schema, true);
  }

  static TestTable of(String cql) {
    return of(SchemaParser.parse(cql).onlyTable());
  }

  /** In the format of before version {@code oa}. */
  static TestTable signed(String cql) {
    return new TestTable(SchemaParser.parse(cql).onlyTable(), false);
  }

  MutationFactory factory() {
    return factory;
  }

  MutationBuilder mutation(@Nullable Object @Nullable ... key) {
    return factory.mutation(key);
  }

  /** What a caller can give whose code is not checked for nulls. */
  @SuppressWarnings("NullAway")
  static Object nothing() {
    return null;
  }

  /** A line per unfiltered, without key; the first is empty or the partition's deletion. */
  static List<String> lines(Mutation mutation) {
    PartitionUpdate view = new PartitionUpdate(mutation.encoding());
    mutation.wrapIn(view);
    try (PartitionCursor cursor = view.cursor()) {
      List<String> lines = TableModel.linesOf(cursor);
      lines.set(0, lines.get(0).replace(mutation.key().toString(), ""));
      return lines;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
