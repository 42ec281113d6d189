package io.siltstone.bench.workload;

import io.siltstone.Table;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A profile in which an item is a partition of up to {@value #ROWS} rows. Its versions repeat a
 * cycle: all rows are inserted, some deleted one by one and by ranges, two inserted again, then the
 * partition is deleted.
 */
final class Deletes implements Profile {
  private static final String VALUE = "value";
  private static final int ROWS = 16;

  /** The step of a version, by its index in the cycle. */
  private static final Step[] ROUND = round();

  private final long partitions;
  private final BookValue size;
  private final BookText text = new BookText(1);

  /** A step that inserts one row, or deletes those from the first to the last. */
  private record Step(boolean isInsert, int first, int last) {
    boolean touches(int row) {
      return row >= first && row <= last;
    }
  }

  private static Step[] round() {
    List<Step> round = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      round.add(new Step(true, row, row));
    }
    for (int row = 0; row < 3; row++) {
      round.add(new Step(false, row, row));
    }
    round.add(new Step(false, 4, 7));
    round.add(new Step(false, 12, ROWS - 1));
    round.add(new Step(true, 0, 0));
    round.add(new Step(true, 5, 5));
    round.add(new Step(false, 0, ROWS - 1));
    return round.toArray(new Step[0]);
  }

  Deletes(ProfileOptions options) {
    if (options.rows().isPresent() || options.limit().isPresent()) {
      throw new IllegalArgumentException(
          "rows and limit are not for Deletes, which has up to " + ROWS + " rows per partition");
    }
    partitions = options.partitions().orElse(50_000);
    size = options.value();
  }

  @Override
  public String name() {
    return "Deletes";
  }

  @Override
  public String description() {
    return "Partitions of up to "
        + ROWS
        + " rows. Of four writes three insert a row and one deletes a row, a range of rows"
        + " or the partition; a read returns the partition.";
  }

  @Override
  public ProfileOptions options() {
    return new ProfileOptions(
        OptionalLong.of(partitions), OptionalInt.empty(), OptionalInt.empty(), size);
  }

  @Override
  public String cql() {
    return """
        CREATE TABLE stress.deletes (
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
    return ROWS;
  }

  @Override
  public Operations operations(Table table, long epochMicros) {
    return new Partitions(table, new VersionedValues(text, size, epochMicros));
  }

  private static Step step(long version) {
    return ROUND[(int) ((version - 1) % ROUND.length)];
  }

  private static final class Partitions implements Operations {
    private final Table table;
    private final VersionedValues content;
    private final List<Row> found = new ArrayList<>();
    private long partition;

    Partitions(Table table, VersionedValues content) {
      this.table = table;
      this.content = content;
    }

    @Override
    public void write(long item, long version) throws IOException {
      Step step = step(version);
      MutationBuilder mutation = table.mutation(item).timestamp(content.timestamp(version));
      if (step.isInsert()) {
        mutation.insert(step.first()).set(VALUE, content.value(owner(item, step.first()), version));
      } else if (step.first() == step.last()) {
        mutation.deleteRow(step.first());
      } else if (step.first() == 0) {
        mutation.deletePartition();
      } else {
        mutation.deleteRange(ClusteringRange.all().from(step.first()).to(step.last()));
      }
      table.write(mutation.build());
    }

    private static long owner(long item, int row) {
      return item * ROWS + row;
    }

    @Override
    public int read(long item, SplittableRandom random) throws IOException {
      partition = item;
      found.clear();
      try (LiveRows rows = table.read(table.query().partition(item).build())) {
        rows.forEachRemaining(found::add);
      }
      return found.size();
    }

    @Override
    public @Nullable String wrong(long completed, long begun) {
      int next = 0;
      for (Row row : found) {
        int number = row.getInt("row");
        String wrong = number < next ? "not in order" : wrongRow(row, number, completed, begun);
        if (wrong == null && completed == begun) {
          wrong = missing(next, number, completed);
        }
        if (wrong != null) {
          return "partition " + partition + ", row " + number + ": " + wrong;
        }
        next = number + 1;
      }
      String missing = completed == begun ? missing(next, ROWS, completed) : null;
      return missing == null ? null : "partition " + partition + ": " + missing;
    }

    private @Nullable String wrongRow(Row row, int number, long completed, long begun) {
      String wrong = content.wrong(row, VALUE, owner(partition, number));
      if (wrong != null) {
        return wrong;
      }
      long version = content.version(row, VALUE);
      if (version > begun) {
        return "version " + version + ", of " + begun;
      }
      long expected = completed == begun ? shown(number, completed) : version;
      return expected == version
          ? null
          : "version " + version + ", not " + expected + " as after " + completed + " changes";
    }

    private static @Nullable String missing(int from, int to, long version) {
      for (int row = from; row < to; row++) {
        if (shown(row, version) != 0) {
          return "row " + row + " is not there after " + version + " changes";
        }
      }
      return null;
    }

    /** Returns the version of a row that exists after a number of changes; 0 if there is none. */
    private static long shown(int row, long changes) {
      for (long version = changes; version > 0 && version > changes - ROUND.length; version--) {
        Step step = step(version);
        if (step.touches(row)) {
          return step.isInsert() ? version : 0;
        }
      }
      return 0;
    }
  }
}
