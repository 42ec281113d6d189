package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.schema.Column;
import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.RandomSchemas;
import io.siltstone.schema.Schema;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableParams;
import org.junit.jupiter.api.Test;

/** Cassandra and Siltstone read each other's {@code schema.cql} as the same table. */
class SchemaAgreesTest {
  private static final int TABLES = 20 * Integer.getInteger("interop.scale", 1);

  @Test
  void cassandraReadsOurTextAsTheSameTableAndWeReadWhatItWrites() {
    CassandraNode node = CassandraNode.get();
    long first = new Random().nextLong();
    for (long seed = first; seed < first + TABLES; seed++) {
      String name = node.newTableName();
      TableSchema random = RandomSchemas.table(seed, CassandraNode.KEYSPACE, name);
      // Memtables are defined in cassandra.yaml, which has only this one.
      TableOptions options = random.options().toBuilder().memtable("default").build();
      TableSchema ours = random.withOptions(options);
      String text = ours.toCql();
      String what = "RandomSchemas.table(%dL, \"ks\", \"%s\"):\n%s".formatted(seed, name, text);
      // The types, and the table with its dropped columns.
      String[] statements = text.strip().split("\n\n(?=CREATE )");
      assertThat(statements).hasSize(ours.userTypes().size() + 1);
      for (int i = 0; i < statements.length - 1; i++) {
        node.define(statements[i]);
      }
      define(node, statements[statements.length - 1], what);
      TableMetadata theirs = metadata(name);
      try {
        assertThat(columns(ours)).as(what).isEqualTo(columns(theirs));
        assertThat(dropped(ours)).as(what).isEqualTo(dropped(theirs));
        assertThat(order(ours)).as(what).isEqualTo(order(theirs));
        assertThat(ours.keyType().className())
            .as(what)
            .isEqualTo(theirs.partitionKeyType.toString());
        assertThat(ours.isCounter()).as(what).isEqualTo(theirs.isCounter());
        ours.id().ifPresent(id -> assertThat(theirs.id.asUUID()).as(what).isEqualTo(id));
        sameOptions(options, theirs.params, what);
        String written = CassandraTable.schemaText(theirs);
        TableSchema read = SchemaParser.parse(written).onlyTable();
        assertThat(columns(read)).as(written).isEqualTo(columns(theirs));
        assertThat(dropped(read)).as(written).isEqualTo(dropped(theirs));
        assertThat(order(read)).as(written).isEqualTo(order(theirs));
        assertThat(read.userTypes())
            .as(written)
            .extracting(UserType::className)
            .containsAll(ours.userTypes().stream().map(UserType::className).toList());
        sameOptions(read.options(), theirs.params, written);
      } finally {
        node.define("DROP TABLE ks." + name);
      }
    }
  }

  @Test
  void weReadWhatCassandraWritesOfItsTables() {
    CassandraNode node = CassandraNode.get();
    long first = new Random().nextLong();
    for (long seed = first; seed < first + TABLES; seed++) {
      String name = node.newTableName();
      RandomTable table = RandomTable.of(seed, name, node.options());
      table.createTypes().forEach(node::define);
      node.define(table.createTable());
      try {
        TableMetadata theirs = metadata(name);
        String written = CassandraTable.schemaText(theirs);
        String what = "seed " + seed + ":\n" + table + "\n" + written;
        Schema schema = SchemaParser.parse(written);
        assertThat(schema.warnings()).as(what).isEmpty();
        same(schema.onlyTable(), theirs, what);
        String source = table.toString();
        same(SchemaParser.parse(source).onlyTable(), theirs, what);
      } finally {
        node.define("DROP TABLE ks." + name);
      }
    }
  }

  private static void same(TableSchema ours, TableMetadata theirs, String what) {
    assertThat(columns(ours)).as(what).isEqualTo(columns(theirs));
    assertThat(order(ours)).as(what).isEqualTo(order(theirs));
    assertThat(ours.keyType().className()).as(what).isEqualTo(theirs.partitionKeyType.toString());
    sameOptions(ours.options(), theirs.params, what);
  }

  private static void define(CassandraNode node, String text, String what) {
    for (String statement : Pattern.compile(";\n(?=ALTER TABLE)").split(text, -1)) {
      try {
        node.define(statement);
      } catch (RuntimeException e) {
        throw new AssertionError(statement + "\nof " + what, e);
      }
    }
  }

  private static TableMetadata metadata(String name) {
    TableMetadata metadata =
        org.apache.cassandra.schema.Schema.instance.getTableMetadata(CassandraNode.KEYSPACE, name);
    assertThat(metadata).as(name).isNotNull();
    return metadata;
  }

  private static String line(Object kind, int position, String name, String type) {
    return kind + " " + position + " " + name + " " + type;
  }

  private static List<String> columns(TableSchema table) {
    List<Column> all = new ArrayList<>(table.partitionKeyColumns());
    all.addAll(table.clusteringColumns());
    all.addAll(table.staticColumns());
    all.addAll(table.regularColumns());
    return all.stream()
        .map(c -> line(c.kind(), c.position(), c.name(), c.type().className()))
        .sorted()
        .toList();
  }

  private static List<String> columns(TableMetadata table) {
    return table.columns().stream()
        .map(c -> line(c.kind, c.position(), c.name.toString(), c.type.toString()))
        .sorted()
        .toList();
  }

  private static List<String> dropped(TableSchema table) {
    return table.droppedColumns().stream()
        .map(DroppedColumn::column)
        .map(c -> line(c.kind(), 0, c.name(), typeAndTime(table, c)))
        .sorted()
        .toList();
  }

  private static String typeAndTime(TableSchema table, Column column) {
    return column.type().className()
        + " "
        + table.droppedColumn(column.name()).orElseThrow().droppedAtMicros();
  }

  private static List<String> dropped(TableMetadata table) {
    return table.droppedColumns.values().stream()
        .map(
            d ->
                line(
                    d.column.kind,
                    0,
                    d.column.name.toString(),
                    d.column.type + " " + d.droppedTime))
        .sorted()
        .toList();
  }

  /** Returns the names in the order of cells, statics first. */
  private static List<String> order(TableSchema table) {
    List<String> names = new ArrayList<>();
    table.staticColumns().forEach(column -> names.add(column.name()));
    table.regularColumns().forEach(column -> names.add(column.name()));
    return names;
  }

  private static List<String> order(TableMetadata table) {
    List<String> names = new ArrayList<>();
    for (ColumnMetadata column : table.staticColumns()) {
      names.add(column.name.toString());
    }
    for (ColumnMetadata column : table.regularColumns()) {
      names.add(column.name.toString());
    }
    return names;
  }

  private static void sameOptions(TableOptions ours, TableParams theirs, String what) {
    assertThat(ours.bloomFilterFpChance()).as(what).isEqualTo(theirs.bloomFilterFpChance);
    assertThat(ours.crcCheckChance()).as(what).isEqualTo(theirs.crcCheckChance);
    assertThat(ours.gcGraceSeconds()).as(what).isEqualTo(theirs.gcGraceSeconds);
    assertThat(ours.defaultTimeToLive()).as(what).isEqualTo(theirs.defaultTimeToLive);
    assertThat(ours.minIndexInterval()).as(what).isEqualTo(theirs.minIndexInterval);
    assertThat(ours.maxIndexInterval()).as(what).isEqualTo(theirs.maxIndexInterval);
    assertThat(ours.memtableFlushPeriodInMs()).as(what).isEqualTo(theirs.memtableFlushPeriodInMs);
    assertThat(ours.comment()).as(what).isEqualTo(theirs.comment);
    assertThat(ours.cdc()).as(what).isEqualTo(theirs.cdc);
    assertThat(ours.allowAutoSnapshot()).as(what).isEqualTo(theirs.allowAutoSnapshot);
    assertThat(ours.incrementalBackups()).as(what).isEqualTo(theirs.incrementalBackups);
    assertThat(ours.speculativeRetry()).as(what).isEqualTo(theirs.speculativeRetry.toString());
    assertThat(ours.additionalWritePolicy())
        .as(what)
        .isEqualTo(theirs.additionalWritePolicy.toString());
    assertThat(ours.readRepair()).as(what).isEqualTo(theirs.readRepair.toString());
    assertThat(ours.caching().toMap()).as(what).isEqualTo(new TreeMap<>(theirs.caching.asMap()));
    assertThat(ours.compactionStrategy())
        .as(what)
        .isEqualTo(theirs.compaction.klass().getSimpleName());
    assertThat(ours.compression().isEnabled()).as(what).isEqualTo(theirs.compression.isEnabled());
    assertThat(ours.compression().chunkLengthBytes())
        .as(what)
        .isEqualTo(
            theirs.compression.isEnabled()
                ? theirs.compression.chunkLength()
                : ours.compression().chunkLengthBytes());
    assertThat(ours.compression().maxCompressedLength())
        .as(what)
        .isEqualTo(
            theirs.compression.isEnabled()
                ? theirs.compression.maxCompressedLength()
                : ours.compression().maxCompressedLength());
  }
}
