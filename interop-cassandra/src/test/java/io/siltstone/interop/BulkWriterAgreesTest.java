package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.BulkWriter;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Cassandra accepts the SSTables that a {@link BulkWriter} makes of changes in any order, with
 * temporary files, and makes the same content of the same statements.
 */
class BulkWriterAgreesTest {
  private static final int CHANGES = 300;
  private static final long NOW_SECONDS = 1_700_000_000L;

  /** The time of a deletion, because the bulk writer has its own clock. */
  private static final Pattern DELETED_AT = Pattern.compile("@ \\d+");

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();
  private final CassandraJudge judge = new CassandraJudge(node);

  static LongStream seeds() {
    return RandomCases.seeds(3);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onRandomChanges(long seed) throws Exception {
    String name = node.newTableName();
    try (CassandraTable table =
        CassandraTable.create(
            node,
            name,
            List.of(),
            "CREATE TABLE "
                + CassandraNode.KEYSPACE
                + "."
                + name
                + " (k int, c int, s text static, v text, m map<int, text>, PRIMARY KEY (k, c))"
                + " WITH CLUSTERING ORDER BY (c DESC) AND gc_grace_seconds = 2000000000")) {
      TableSchema schema =
          SchemaParser.parse(CassandraTable.schemaText(table.metadata())).onlyTable();
      List<Descriptor> loaded =
          load(table, schema, new Random(seed), directory.resolve("ours" + seed));
      table.flush();
      table.compact();
      Path theirs = table.export(Files.createDirectory(directory.resolve("theirs" + seed))).get(0);
      StringBuilder ours = new StringBuilder();
      for (Descriptor descriptor : loaded) {
        Path data = directory.resolve("ours" + seed).resolve(descriptor.fileName(Component.DATA));
        judge.examine(data, table);
        ours.append(judge.canonical(data));
      }
      assertThat(DELETED_AT.matcher(ours).replaceAll("@ now"))
          .as("seed %d", seed)
          .isEqualTo(DELETED_AT.matcher(judge.canonical(theirs)).replaceAll("@ now"));
    }
  }

  /** Writes to both; returns the SSTables of the engine. */
  private List<Descriptor> load(
      CassandraTable table, TableSchema schema, Random random, Path target) throws Exception {
    String name = CassandraNode.KEYSPACE + "." + table.name();
    FormatVersion version = SelectedFormat.randomVersion(node, random);
    try (BulkWriter writer =
        BulkWriter.into(target, schema)
            .version(version)
            .partitioner(
                node.options().partitioner() == NodeOptions.Partitioner.BYTE_ORDERED
                    ? Partitioner.BYTE_ORDERED
                    : Partitioner.MURMUR3)
            .memoryBytes(8 << 10)
            .maxSSTableBytes(6000)
            .open()) {
      for (int i = 0; i < CHANGES; i++) {
        // Each timestamp occurs once: statements are executed in their order, mutations are not.
        long timestamp = 1 + (i * 97L) % CHANGES;
        int key = random.nextInt(12);
        MutationBuilder builder = writer.mutation(key).timestamp(timestamp);
        String cql = change(random, builder, name, timestamp, key);
        writer.add(builder.build());
        table.execute(cql, NOW_SECONDS, List.of());
      }
      return writer.commit().sstables();
    }
  }

  /** Draws a change; returns it as a statement. */
  private static String change(
      Random random, MutationBuilder builder, String table, long timestamp, int key) {
    int c = random.nextInt(8);
    String using = " USING TIMESTAMP " + timestamp;
    String partition = " WHERE k = " + key;
    String row = partition + " AND c = " + c;
    String value = "v".repeat(random.nextInt(30)) + timestamp;
    switch (random.nextInt(8)) {
      case 0 -> {
        builder.set("s", value);
        return "UPDATE " + table + using + " SET s = '" + value + "'" + partition;
      }
      case 1 -> {
        builder.deleteRow(c);
        return "DELETE FROM " + table + using + row;
      }
      case 2 -> {
        builder.deleteRange(ClusteringRange.all().from(c).before(c + 3));
        return "DELETE FROM "
            + table
            + using
            + partition
            + " AND c >= "
            + c
            + " AND c < "
            + (c + 3);
      }
      case 3 -> {
        if (random.nextInt(4) == 0) {
          builder.deletePartition();
          return "DELETE FROM " + table + using + partition;
        }
        builder.update(c).set("m", Map.of(1, value));
        return "UPDATE " + table + using + " SET m = {1: '" + value + "'}" + row;
      }
      case 4 -> {
        builder.update(c).put("m", 2, value);
        return "UPDATE " + table + using + " SET m[2] = '" + value + "'" + row;
      }
      case 5 -> {
        builder.update(c).delete("v");
        return "DELETE v FROM " + table + using + row;
      }
      default -> {
        builder.insert(c).set("v", value);
        return "INSERT INTO "
            + table
            + " (k, c, v) VALUES ("
            + key
            + ", "
            + c
            + ", '"
            + value
            + "')"
            + using;
      }
    }
  }
}
