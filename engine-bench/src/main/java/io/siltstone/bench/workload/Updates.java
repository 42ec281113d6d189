package io.siltstone.bench.workload;

import io.siltstone.Table;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A profile in which an item is a row of several columns: each version sets the next column. */
final class Updates implements Profile {
  private static final String[] COLUMNS = {"a", "b", "c", "d"};

  private final long partitions;
  private final BookValue size;
  private final BookText text = new BookText(1);

  Updates(ProfileOptions options) {
    if (options.rows().isPresent() || options.limit().isPresent()) {
      throw new IllegalArgumentException(
          "rows and limit are not for Updates, which has one row per partition");
    }
    partitions = options.partitions().orElse(10_000);
    size = options.value();
  }

  @Override
  public String name() {
    return "Updates";
  }

  @Override
  public String description() {
    return "Few rows of four columns. A write sets the next of the columns, so that a row's"
        + " cells are in several SSTables; a read returns the row.";
  }

  @Override
  public ProfileOptions options() {
    return new ProfileOptions(
        OptionalLong.of(partitions), OptionalInt.empty(), OptionalInt.empty(), size);
  }

  @Override
  public String cql() {
    return """
    CREATE TABLE stress.updates (
      key text PRIMARY KEY,
      a text,
      b text,
      c text,
      d text
    )\
    """;
  }

  @Override
  public long items() {
    return partitions;
  }

  @Override
  public int versionsToPopulate() {
    return COLUMNS.length;
  }

  @Override
  public Operations operations(Table table, long epochMicros) {
    return new Columns(table, new VersionedValues(text, size, epochMicros));
  }

  private static final class Columns implements Operations {
    private final Table table;
    private final VersionedValues content;
    private long item;
    private @Nullable Row found;

    Columns(Table table, VersionedValues content) {
      this.table = table;
      this.content = content;
    }

    @Override
    public void write(long item, long version) throws IOException {
      table.write(
          table
              .mutation(Long.toString(item))
              .timestamp(content.timestamp(version))
              .update()
              .set(COLUMNS[(int) (version % COLUMNS.length)], content.value(item, version))
              .build());
    }

    @Override
    public int read(long item, SplittableRandom random) throws IOException {
      this.item = item;
      Optional<Row> row = table.get(table.query().partition(Long.toString(item)).build());
      found = row.orElse(null);
      return row.isPresent() ? 1 : 0;
    }

    @Override
    public @Nullable String wrong(long completed, long begun) {
      Row row = found;
      if (row == null) {
        return completed == 0
            ? null
            : "row " + item + " is not there, written " + completed + " times";
      }
      for (int i = 0; i < COLUMNS.length; i++) {
        String wrong = wrongColumn(row, i, completed, begun);
        if (wrong != null) {
          return "row " + item + ": " + wrong;
        }
      }
      return null;
    }

    private @Nullable String wrongColumn(Row row, int index, long completed, long begun) {
      // Concurrent writes may become visible in any order.
      long least = completed == begun ? lastOf(index, completed) : 0;
      String column = COLUMNS[index];
      if (row.isNull(column)) {
        return least == 0 ? null : "no " + column;
      }
      long version = content.version(row, column);
      return version < least || version > begun
          ? column + " has version " + version + ", not " + least + " to " + begun
          : content.wrong(row, column, item);
    }

    /** Returns the last version, up to the given one, that sets a column; 0 if there is none. */
    private static long lastOf(int index, long version) {
      long last = version - Math.floorMod(version - index, (long) COLUMNS.length);
      return Math.max(0, last);
    }
  }
}
