package io.siltstone.bench.workload;

import io.siltstone.Table;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A profile in which an item is a series: each version is a new reading, and reads return the
 * newest.
 */
final class TimeSeries implements Profile {
  private static final String VALUE = "value";
  private static final String AT = "at";

  private final long partitions;
  private final int rows;
  private final int limit;
  private final BookValue size;
  private final BookText text = new BookText(1);

  TimeSeries(ProfileOptions options) {
    partitions = options.partitions().orElse(10_000);
    rows = options.rows().orElse(100);
    limit = options.limit().orElse(50);
    size = options.value();
  }

  @Override
  public String name() {
    return "TimeSeries";
  }

  @Override
  public String description() {
    return "Series of readings, newest first. A write appends a reading to a series, a read"
        + " returns as many of the newest of a series as the limit says.";
  }

  @Override
  public ProfileOptions options() {
    return new ProfileOptions(
        OptionalLong.of(partitions), OptionalInt.of(rows), OptionalInt.of(limit), size);
  }

  @Override
  public String cql() {
    return """
    CREATE TABLE stress.time_series (
      series bigint,
      at timestamp,
      value text,
      PRIMARY KEY (series, at)
    ) WITH CLUSTERING ORDER BY (at DESC)\
    """;
  }

  @Override
  public long items() {
    return partitions;
  }

  @Override
  public int versionsToPopulate() {
    return rows;
  }

  @Override
  public Operations operations(Table table, long epochMicros) {
    return new Readings(table, new VersionedValues(text, size, epochMicros));
  }

  private final class Readings implements Operations {
    private final Table table;
    private final VersionedValues content;
    private final long epochMillis;
    private final List<Row> found = new ArrayList<>();
    private long series;

    Readings(Table table, VersionedValues content) {
      this.table = table;
      this.content = content;
      epochMillis = content.epochMicros() / 1000;
    }

    /**
     * Writes a reading. Readings are a millisecond apart; their timestamps are those of the clock.
     */
    @Override
    public void write(long item, long version) throws IOException {
      long at = epochMillis + version;
      table.write(
          table
              .mutation(item)
              .insert(Instant.ofEpochMilli(at))
              .set(VALUE, content.only(item, at))
              .build());
    }

    @Override
    public int read(long item, SplittableRandom random) throws IOException {
      series = item;
      found.clear();
      Query query = table.query().partition(item).limit(limit).build();
      try (LiveRows rows = table.read(query)) {
        rows.forEachRemaining(found::add);
      }
      return found.size();
    }

    @Override
    public @Nullable String wrong(long completed, long begun) {
      long before = Long.MAX_VALUE;
      for (Row row : found) {
        long at = Objects.requireNonNull(row.getInstant(AT)).toEpochMilli();
        String wrong =
            at < before
                ? content.wrong(row, VALUE, content.only(series, at))
                : "not after " + before;
        if (wrong != null) {
          return "series " + series + ", reading " + at + ": " + wrong;
        }
        before = at;
      }
      return wrongReadings(completed, begun);
    }

    /** Checks that there are as many readings as were written, and that they are the newest. */
    private @Nullable String wrongReadings(long completed, long begun) {
      int expected = (int) Math.min(limit, completed);
      if (found.size() < expected) {
        return "series " + series + " shows " + found.size() + " readings of " + completed;
      }
      if (expected == 0) {
        return null;
      }
      long newest = number(found.get(0));
      long missing = newest - number(found.get(expected - 1)) + 1 - expected;
      return newest < completed || newest > begun || missing > begun - completed
          ? "series "
              + series
              + " shows readings to "
              + newest
              + " without "
              + missing
              + " of them, written were "
              + completed
              + " to "
              + begun
          : null;
    }

    private long number(Row row) {
      return Objects.requireNonNull(row.getInstant(AT)).toEpochMilli() - epochMillis;
    }
  }
}
