package io.siltstone.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.schema.Column;
import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.RandomSchemas;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.RandomPartitions;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.type.TypeKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Merges of random tables that overlap are what the model says, in whatever order and groups the
 * tables come. A run can be repeated with {@code -Dsiltstone.seed=N}, and enlarged with {@code
 * -Dsiltstone.scale=N}.
 */
class RandomMergeTest {

  private interface Check {
    void run(Case on) throws IOException;
  }

  private static void onRandomTables(int count, Check check) {
    Long one = Long.getLong("siltstone.seed");
    LongStream seeds =
        one == null
            ? LongStream.range(0, (long) count * Integer.getInteger("siltstone.scale", 1))
            : LongStream.of(one);
    seeds.forEach(
        seed -> {
          try {
            check.run(Case.of(seed));
          } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
          }
        });
  }

  /** Some tables, whose columns come and go, and what they are merged into. */
  private record Case(
      Random random, List<TableModel> tables, TableEncoding target, Map<String, Long> dropped) {

    static Case of(long seed) {
      Random random = new Random(seed);
      TableSchema schema = RandomSchemas.table(seed);
      while (schema.isCounter()) {
        schema = RandomSchemas.table(random.nextLong());
      }
      List<TableSchema> schemas = new ArrayList<>();
      for (int i = 1 + random.nextInt(random.nextInt(6) == 0 ? 12 : 4); i > 0; i--) {
        schemas.add(random.nextInt(3) == 0 ? withoutSome(random, schema) : schema);
      }
      List<TableModel> tables =
          RandomPartitions.overlapping(
              random, schemas, FormatVersion.OA, 1 + random.nextInt(6), 1 + random.nextInt(30));
      TableSchema today = random.nextInt(3) == 0 ? withoutSome(random, schema) : schema;
      List<DroppedColumn> droppedColumns = new ArrayList<>();
      Map<String, Long> dropped = new HashMap<>();
      if (random.nextInt(3) == 0) {
        cellColumns(schema)
            .filter(column -> random.nextBoolean() && isDroppable(column))
            .forEach(
                column -> {
                  long at = 1_600_000_000_000_000L + random.nextInt(10);
                  droppedColumns.add(new DroppedColumn(column, at));
                  dropped.put(column.name(), at);
                });
      }
      RowEncoding rows = RowEncoding.of(today, EncodingStats.ANY, true);
      return new Case(random, tables, new TableEncoding(rows, droppedColumns), dropped);
    }

    private static boolean isDroppable(Column column) {
      return column.type().kind() != TypeKind.USER || !column.type().isMultiCell();
    }

    private static Stream<Column> cellColumns(TableSchema schema) {
      return Stream.concat(schema.staticColumns().stream(), schema.regularColumns().stream());
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

    List<String> expected() {
      return ModelMerge.of(target.rows().header(), dropped, tables).scan();
    }

    List<PartitionCursor> cursors(boolean reversed) {
      return new ArrayList<>(
          tables.stream()
              .map(table -> (PartitionCursor) new ModelCursor(table, reversed))
              .toList());
    }

    MergeCursor merge(List<? extends PartitionCursor> cursors, boolean reversed) {
      MergeCursor merge = new MergeCursor(target);
      merge.begin(cursors, reversed);
      return merge;
    }

    List<String> merged(List<? extends PartitionCursor> cursors) throws IOException {
      try (MergeCursor merge = merge(cursors, false)) {
        return lines(merge);
      }
    }

    /** As {@link TableModel#scan()} has it, with the indexes of the target's columns. */
    List<String> lines(PartitionCursor cursor) throws IOException {
      List<String> lines = new ArrayList<>();
      while (cursor.nextPartition()) {
        lines.add(
            new TableModel.Partition(
                    cursor.key(),
                    new Deletion(cursor.deletionTimestamp(), cursor.deletionLocalTime()),
                    null,
                    List.of())
                .head());
        while (cursor.nextUnfiltered()) {
          SerializationHeader from = cursor.unfiltered().encoding().header();
          Item item = TableModel.itemOf(cursor.unfiltered());
          lines.add((item instanceof Row row ? inTarget(row, from) : item).text());
        }
      }
      return lines;
    }

    private Row inTarget(Row row, SerializationHeader from) {
      boolean isStatic = TableModel.isStatic(row);
      List<String> names =
          target.rows().header().columns(isStatic).stream().map(HeaderColumn::name).toList();
      return new Row(
          row.clustering(),
          row.liveness(),
          row.ttl(),
          row.expiration(),
          row.deletion(),
          row.columns().stream()
              .map(
                  column ->
                      new TableModel.Column(
                          names.indexOf(from.columns(isStatic).get(column.index()).name()),
                          column.deletion(),
                          column.cells()))
              .toList());
    }
  }

  @Test
  void mergesAreWhatTheModelSays() {
    onRandomTables(400, on -> assertThat(on.merged(on.cursors(false))).isEqualTo(on.expected()));
  }

  @Test
  void reversedMergesAreTheMirrorOfForwardOnes() {
    onRandomTables(
        200,
        on -> {
          List<String> mirrored = new ArrayList<>();
          List<String> expected = on.expected();
          int from = 0;
          for (int i = 0; i <= expected.size(); i++) {
            if (i == expected.size() || expected.get(i).startsWith("key ")) {
              List<String> partition = new ArrayList<>(expected.subList(from, i));
              long fixed =
                  partition.stream().limit(2).filter(RandomMergeTest::isHeadOrStatic).count();
              Collections.reverse(partition.subList((int) fixed, partition.size()));
              mirrored.addAll(partition);
              from = i;
            }
          }
          try (MergeCursor merge = on.merge(on.cursors(true), true)) {
            assertThat(on.lines(merge)).isEqualTo(mirrored);
          }
        });
  }

  private static boolean isHeadOrStatic(String line) {
    return line.startsWith("key ") || line.startsWith("STATIC_CLUSTERING");
  }

  @Test
  void theOrderOfSourcesDoesNotMatter() {
    onRandomTables(
        100,
        on -> {
          List<PartitionCursor> shuffled = on.cursors(false);
          Collections.shuffle(shuffled, on.random());
          assertThat(on.merged(shuffled)).isEqualTo(on.expected());
        });
  }

  @Test
  void mergesOfMergesAreTheMergeOfAll() {
    onRandomTables(
        200,
        on -> {
          List<PartitionCursor> cursors = on.cursors(false);
          Collections.shuffle(cursors, on.random());
          while (cursors.size() > 1) {
            int from = on.random().nextInt(cursors.size() - 1);
            List<PartitionCursor> some =
                cursors.subList(from, from + 1 + on.random().nextInt(cursors.size() - from));
            MergeCursor merge = on.merge(List.copyOf(some), false);
            some.clear();
            cursors.add(merge);
          }
          assertThat(on.merged(cursors)).isEqualTo(on.expected());
        });
  }

  @Test
  void whatIsSaidTwiceIsSaidOnce() {
    onRandomTables(
        100,
        on -> {
          List<PartitionCursor> twice = on.cursors(false);
          twice.addAll(on.cursors(false));
          assertThat(on.merged(twice)).isEqualTo(on.expected());
        });
  }

  @Test
  void aCursorMergesOtherSourcesAfterItWasClosed() {
    onRandomTables(
        50,
        on -> {
          MergeCursor merge = new MergeCursor(on.target());
          for (int i = on.tables().size(); i > 0; i--) {
            List<TableModel> some = on.tables().subList(0, i);
            List<ModelCursor> cursors =
                some.stream().map(table -> new ModelCursor(table, false)).toList();
            merge.begin(cursors, false);
            assertThat(on.lines(merge))
                .isEqualTo(ModelMerge.of(on.target().rows().header(), on.dropped(), some).scan());
            merge.close();
            assertThat(cursors).allMatch(ModelCursor::isClosed);
          }
        });
  }

  @Test
  void partitionsThatAreNotReadToTheirEndArePassedOver() {
    onRandomTables(
        100,
        on -> {
          List<String> heads = new ArrayList<>();
          List<String> expected =
              on.expected().stream().filter(line -> line.startsWith("key ")).toList();
          try (MergeCursor merge = on.merge(on.cursors(false), false)) {
            while (merge.nextPartition()) {
              heads.add(
                  merge.key()
                      + new Deletion(merge.deletionTimestamp(), merge.deletionLocalTime()).text());
              int rows = on.random().nextInt(4);
              for (int i = 0; i < rows && merge.nextUnfiltered(); i++) {
                assertThat(merge.unfiltered().isEmpty()).isFalse();
              }
            }
          }
          assertThat(heads).isEqualTo(expected);
        });
  }
}
