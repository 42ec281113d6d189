package io.siltstone.bench.workload;

import io.siltstone.Table;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A profile in which an item is a partition: each version writes its next row, and reads return
 * consecutive rows.
 */
final class RangeScan implements Profile {
  private static final String VALUE = "value";

  private final long partitions;
  private final int rows;
  private final int limit;
  private final BookValue size;
  private final BookText text = new BookText(1);

  RangeScan(ProfileOptions options) {
    partitions = options.partitions().orElse(10_000);
    rows = options.rows().orElse(100);
    limit = options.limit().orElse(20);
    size = options.value();
  }

  @Override
  public String name() {
    return "RangeScan";
  }

  @Override
  public String description() {
    return "Partitions of many rows. A write replaces the next row of a partition, a read"
        + " returns as many rows as the limit says, from a random one on.";
  }

  @Override
  public ProfileOptions options() {
    return new ProfileOptions(
        OptionalLong.of(partitions), OptionalInt.of(rows), OptionalInt.of(limit), size);
  }

  @Override
  public String cql() {
    return """
        CREATE TABLE stress.range_scan (
          partition bigint,
          row int,
          value text,
          PRIMARY KEY (partition, row)
        )""";
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
    return new Sequences(table, new VersionedValues(text, size, epochMicros));
  }

  private final class Sequences implements Operations {
    private final Table table;
    private final VersionedValues content;
    private final List<Row> found = new ArrayList<>();
    private long partition;
    private int first;

    Sequences(Table table, VersionedValues content) {
      this.table = table;
      this.content = content;
    }

    @Override
    public void write(long item, long version) throws IOException {
      int row = (int) ((version - 1) % rows);
      table.write(
          table
              .mutation(item)
              .timestamp(content.timestamp(version))
              .insert(row)
              .set(VALUE, content.value(owner(item, row), version))
              .build());
    }

    private long owner(long item, int row) {
      return item * rows + row;
    }

    @Override
    public int read(long item, SplittableRandom random) throws IOException {
      partition = item;
      first = random.nextInt(rows);
      found.clear();
      Query query =
          table
              .query()
              .partition(item)
              .rows(ClusteringRange.all().from(first))
              .limit(limit)
              .build();
      try (LiveRows live = table.read(query)) {
        live.forEachRemaining(found::add);
      }
      return found.size();
    }

    @Override
    public @Nullable String wrong(long completed, long begun) {
      boolean isExact = completed == begun;
      int before = first - 1;
      for (Row row : found) {
        int number = row.getInt("row");
        String wrong = number <= before ? "not in order" : wrongRow(row, number, completed, begun);
        if (wrong == null && isExact && number != before + 1) {
          wrong = "not " + (before + 1);
        }
        if (wrong != null) {
          return "partition " + partition + " from " + first + ", row " + number + ": " + wrong;
        }
        before = number;
      }
      int written = (int) Math.min(rows, completed);
      int expected = Math.max(0, Math.min(limit, written - first));
      return isExact && found.size() != expected
          ? "partition "
              + partition
              + " from "
              + first
              + " shows "
              + found.size()
              + " rows, not "
              + expected
          : null;
    }

    private @Nullable String wrongRow(Row row, int number, long completed, long begun) {
      long version = content.version(row, VALUE);
      long expected = completed == begun ? lastOf(number, completed) : version;
      return version > begun || version != expected
          ? "version " + version + ", not " + expected + " of " + begun
          : content.wrong(row, VALUE, owner(partition, number));
    }

    /** Returns the last version, up to the given one, that wrote a row. */
    private long lastOf(int row, long version) {
      return version - Math.floorMod(version - 1 - row, (long) rows);
    }
  }
}
