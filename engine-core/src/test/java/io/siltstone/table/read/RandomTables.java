package io.siltstone.table.read;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.schema.Column;
import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.RandomSchemas;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.RandomPartitions;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Cell;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Marker;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.TypeKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Random tables with memtables and SSTables of random content, some with columns that were dropped
 * or added. A run can be repeated with {@code -Dsiltstone.seed=N}, and enlarged with {@code
 * -Dsiltstone.scale=N}.
 */
final class RandomTables {
  private RandomTables() {}

  static final long EPOCH_SECONDS = 1_600_000_000L;

  private static final List<String> SIMPLE =
      List.of(
          "CREATE TABLE ks.t (k int PRIMARY KEY, a int, b text)",
          "CREATE TABLE ks.t (k int PRIMARY KEY, a blob)",
          "CREATE TABLE ks.t (k int PRIMARY KEY)",
          "CREATE TABLE ks.t (k int, c int, a int, b text, PRIMARY KEY (k, c))",
          "CREATE TABLE ks.t (k int, c int, d text, a int, PRIMARY KEY (k, c, d))"
              + " WITH CLUSTERING ORDER BY (c DESC, d ASC)",
          "CREATE TABLE ks.t (k int, c int, s int static, a int, PRIMARY KEY (k, c))");

  interface Check {
    void run(Random random, TestedTable table, List<TableModel> models) throws IOException;
  }

  static void each(LeakChecking leaks, int count, Check check) {
    Long one = Long.getLong("siltstone.seed");
    LongStream seeds =
        one == null
            ? LongStream.range(0, (long) count * Integer.getInteger("siltstone.scale", 1))
            : LongStream.of(one);
    // One for all: each keeps some buffers for its next scans until it is closed.
    MemoryBudget memory = leaks.memory();
    seeds.forEach(
        seed -> {
          try {
            run(leaks, memory, seed, check);
          } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
          }
        });
  }

  private static void run(LeakChecking leaks, MemoryBudget memory, long seed, Check check)
      throws IOException {
    Random random = new Random(seed);
    TableSchema schema =
        random.nextInt(4) == 0
            ? RandomSchemas.table(seed)
            : SchemaParser.parse(SIMPLE.get(random.nextInt(SIMPLE.size()))).onlyTable();
    while (schema.isCounter()) {
      schema = RandomSchemas.table(random.nextLong());
    }
    int count = 1 + random.nextInt(6);
    int memtables = Math.min(count, random.nextInt(3));
    List<TableSchema> schemas = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean less = i < count - memtables && random.nextInt(4) == 0;
      schemas.add(less ? withoutSome(random, schema) : schema);
    }
    List<TableModel> models =
        RandomPartitions.overlapping(
                random, schemas, FormatVersion.OA, 1 + random.nextInt(6), 1 + random.nextInt(12))
            .stream()
            .map(model -> later(model, random.nextInt(4) * (long) random.nextInt(6)))
            .toList();
    boolean drops = random.nextInt(5) == 0;
    TableSchema today = drops ? withDropped(random, schema) : schema;
    try (TestedTable table =
        new TestedTable(
            today, models.get(0).partitioner(), leaks.watch(new MemoryDirectory()), memory)) {
      for (int i = 0; i < count; i++) {
        if (i < count - memtables || drops) {
          table.writeTable(models.get(i));
        } else {
          table.write(models.get(i));
          if (random.nextBoolean()) {
            table.switchMemtable();
          }
        }
      }
      check.run(random, table, models);
    }
  }

  private static TableSchema withoutSome(Random random, TableSchema schema) {
    TableSchema.Builder builder = TableSchema.builder(schema.keyspace(), schema.name());
    schema.partitionKeyColumns().forEach(c -> builder.partitionKey(c.name(), c.type()));
    schema.clusteringColumns().forEach(c -> builder.clustering(c.name(), c.type()));
    for (Column column : schema.staticColumns()) {
      if (random.nextInt(3) != 0) {
        builder.staticColumn(column.name(), column.type());
      }
    }
    for (Column column : schema.regularColumns()) {
      if (random.nextInt(3) != 0) {
        builder.regular(column.name(), column.type());
      }
    }
    return builder.build();
  }

  /** Columns that were dropped at some time of the data, and came back. */
  private static TableSchema withDropped(Random random, TableSchema schema) {
    TableSchema.Builder builder = schema.toBuilder();
    Stream.concat(schema.regularColumns().stream(), schema.staticColumns().stream())
        // A dropped user type is remembered as a tuple, which it cannot be added again for.
        .filter(column -> !column.type().isMultiCell() && column.type().kind() != TypeKind.USER)
        .filter(column -> random.nextBoolean())
        .forEach(
            column ->
                builder.drop(
                    new DroppedColumn(column, EPOCH_SECONDS * 1_000_000 + random.nextInt(12))));
    return builder.build();
  }

  /** The same, with all timestamps so much greater. */
  static TableModel later(TableModel model, long micros) {
    return new TableModel(
        model.header(),
        model.partitioner(),
        model.partitions().stream()
            .map(
                partition ->
                    new Partition(
                        partition.key(),
                        later(partition.deletion(), micros),
                        partition.staticRow() == null ? null : later(partition.staticRow(), micros),
                        partition.items().stream().map(item -> later(item, micros)).toList()))
            .toList());
  }

  private static Item later(Item item, long micros) {
    return item instanceof Marker marker
        ? new Marker(
            marker.clustering(), later(marker.deletion(), micros), later(marker.open(), micros))
        : later((Row) item, micros);
  }

  private static Row later(Row row, long micros) {
    return new Row(
        row.clustering(),
        later(row.liveness(), micros),
        row.ttl(),
        row.expiration(),
        later(row.deletion(), micros),
        row.columns().stream()
            .map(
                column ->
                    new TableModel.Column(
                        column.index(),
                        later(column.deletion(), micros),
                        column.cells().stream()
                            .map(
                                cell ->
                                    new Cell(
                                        cell.path(),
                                        cell.timestamp() + micros,
                                        cell.ttl(),
                                        cell.localDeletionTime(),
                                        cell.value()))
                            .toList()))
            .toList());
  }

  private static Deletion later(Deletion deletion, long micros) {
    return new Deletion(later(deletion.timestamp(), micros), deletion.localTime());
  }

  private static long later(long timestamp, long micros) {
    return DeletionTime.isLive(timestamp) ? timestamp : timestamp + micros;
  }
}
