package io.siltstone.bench.workload;

import io.siltstone.Table;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A profile in which an item is a row that is written and read by itself: {@code KeyValue} has one
 * row per partition, {@code Wide} many rows in few partitions.
 */
final class SingleRows implements Profile {
  private static final String VALUE = "value";

  private final boolean isWide;
  private final long partitions;
  private final int rows;
  private final BookValue size;
  private final BookText text = new BookText(1);

  private SingleRows(boolean isWide, long partitions, int rows, BookValue size) {
    this.isWide = isWide;
    this.partitions = partitions;
    this.rows = rows;
    this.size = size;
    // Throws if the product does not fit in a long.
    Math.multiplyExact(partitions, rows);
  }

  static SingleRows keyValue(ProfileOptions options) {
    if (options.rows().isPresent()) {
      throw new IllegalArgumentException("rows are not for KeyValue, which has one per partition");
    }
    requireNoLimit(options, "KeyValue");
    return new SingleRows(false, options.partitions().orElse(1_000_000), 1, options.value());
  }

  static SingleRows wide(ProfileOptions options) {
    requireNoLimit(options, "Wide");
    return new SingleRows(
        true, options.partitions().orElse(10), options.rows().orElse(100_000), options.value());
  }

  private static void requireNoLimit(ProfileOptions options, String name) {
    if (options.limit().isPresent()) {
      throw new IllegalArgumentException("limit is not for " + name + ", which reads one row");
    }
  }

  @Override
  public String name() {
    return isWide ? "Wide" : "KeyValue";
  }

  @Override
  public String description() {
    return isWide
        ? "Few partitions of many rows. A write replaces a row, a read returns one row by"
            + " its full key."
        : "One row per partition. A write replaces it, a read returns it by its key.";
  }

  @Override
  public ProfileOptions options() {
    return new ProfileOptions(
        OptionalLong.of(partitions),
        isWide ? OptionalInt.of(rows) : OptionalInt.empty(),
        OptionalInt.empty(),
        size);
  }

  @Override
  public String cql() {
    return isWide
        ? """
        CREATE TABLE stress.wide (
          partition bigint,
          row bigint,
          value text,
          PRIMARY KEY (partition, row)
        )\
        """
        : """
        CREATE TABLE stress.key_value (
          key text PRIMARY KEY,
          value text
        )\
        """;
  }

  @Override
  public long items() {
    return partitions * rows;
  }

  @Override
  public int versionsToPopulate() {
    return 1;
  }

  @Override
  public Operations operations(Table table, long epochMicros) {
    return new SingleRow(table, new VersionedValues(text, size, epochMicros));
  }

  private final class SingleRow implements Operations {
    private final Table table;
    private final VersionedValues content;
    private long item;
    private @Nullable Row found;

    SingleRow(Table table, VersionedValues content) {
      this.table = table;
      this.content = content;
    }

    @Override
    public void write(long item, long version) throws IOException {
      MutationBuilder mutation =
          (isWide
              ? table
                  .mutation(item % partitions)
                  .timestamp(content.timestamp(version))
                  .insert(item / partitions)
              : table.mutation(Long.toString(item)).timestamp(content.timestamp(version)).insert());
      table.write(mutation.set(VALUE, content.value(item, version)).build());
    }

    @Override
    public int read(long item, SplittableRandom random) throws IOException {
      this.item = item;
      Query query =
          isWide
              ? table.query().partition(item % partitions).row(item / partitions).build()
              : table.query().partition(Long.toString(item)).build();
      Optional<Row> row = table.get(query);
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
      String wrong = content.wrong(row, VALUE, item);
      if (wrong != null) {
        return "row " + item + ": " + wrong;
      }
      long version = content.version(row, VALUE);
      return version < completed || version > begun
          ? "row " + item + " has version " + version + ", not " + completed + " to " + begun
          : null;
    }
  }
}
