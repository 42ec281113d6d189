package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import io.siltstone.sstable.RandomPartitions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random changes of every kind, loaded in random order with hardly any memory, give what the same
 * changes give that are written.
 */
class BulkWriterModelTest {
  private static final int SEEDS = 8 * Integer.getInteger("siltstone.scale", 1);
  private static final int CHANGES = 400;
  private static final String COLUMNS =
      " (k int, c int, d text, s text static, v int, w text, m map<int, text>,"
          + " PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)";
  private static final List<String> NAMES = List.of("k", "c", "d", "s", "v", "w", "m");

  static LongStream seeds() {
    Long one = Long.getLong("siltstone.seed");
    return one != null ? LongStream.of(one) : LongStream.rangeClosed(1, SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsLoadedIsWhatIsWritten(long seed) throws IOException {
    Random random = new Random(seed);
    DatabaseOptions options =
        History.OPTIONS.toBuilder()
            .memtableBytes(16 << 20)
            .formatVersion(RandomPartitions.version(random))
            .partitioner(random.nextBoolean() ? Partitioner.MURMUR3 : Partitioner.BYTE_ORDERED)
            .build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table written = database.createTable("CREATE TABLE w.written" + COLUMNS);
      Table loaded = database.createTable("CREATE TABLE w.loaded" + COLUMNS);
      Table imported = database.createTable("CREATE TABLE w.imported" + COLUMNS);
      List<Table> tables = List.of(written, loaded, imported);
      // Some of it is there before.
      for (List<Mutation> each : changes(random, CHANGES / 10, tables)) {
        for (int i = 0; i < tables.size(); i++) {
          tables.get(i).write(each.get(i));
        }
      }
      if (random.nextBoolean()) {
        database.flush();
      }
      List<List<Mutation>> changes = changes(random, CHANGES, tables);
      for (List<Mutation> each : changes) {
        written.write(each.get(0));
      }
      Collections.shuffle(changes, random);
      BulkWriter.Result result =
          load(random, BulkWriter.into(loaded), changes, each -> each.get(1));
      assertThat(result.runs()).as("seed %d", seed).isGreaterThan(2);
      MemoryDirectory directory = new MemoryDirectory();
      load(
          random,
          BulkWriter.into(directory, imported.schema())
              .partitioner(imported.store().partitioner())
              .version(options.formatVersion()),
          changes,
          each -> each.get(2));
      assertThat(directory.files())
          .contains("schema.cql")
          .noneMatch(name -> name.endsWith(".tmp") || name.endsWith(".log"));
      imported.importTables(directory);
      List<String> expected = rows(written);
      assertThat(rows(loaded)).as("seed %d", seed).isEqualTo(expected);
      assertThat(rows(imported)).as("seed %d", seed).isEqualTo(expected);
    }
  }

  private static BulkWriter.Result load(
      Random random,
      BulkWriter.Builder builder,
      List<List<Mutation>> changes,
      Function<List<Mutation>, Mutation> which)
      throws IOException {
    if (random.nextBoolean()) {
      builder.maxSSTableBytes(1 + random.nextInt(20_000));
    }
    if (random.nextBoolean()) {
      builder.divideAt(List.of(random.nextLong(), 0L, 1L << 63 >> 1, random.nextLong()));
    }
    if (random.nextBoolean()) {
      builder.compression(CompressionOptions.NONE);
    }
    builder
        .memoryBytes((8 << 10) + random.nextInt(10_000))
        .outputVerification(OutputVerification.FULL);
    try (BulkWriter writer = builder.open()) {
      for (List<Mutation> each : changes) {
        writer.add(which.apply(each));
      }
      return writer.commit();
    }
  }

  /** Returns random changes, each as a mutation of each of the tables. */
  private static List<List<Mutation>> changes(Random random, int count, List<Table> tables) {
    List<List<Mutation>> changes = new ArrayList<>();
    while (changes.size() < count) {
      long seed = random.nextLong();
      try {
        changes.add(tables.stream().map(table -> change(new Random(seed), table)).toList());
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("with the same timestamp");
      }
    }
    return changes;
  }

  private static Mutation change(Random random, Table table) {
    MutationBuilder builder = table.mutation(random.nextInt(5));
    for (int i = random.nextInt(3); i >= 0; i--) {
      builder.timestamp(1 + random.nextInt(60)).ttl(random.nextInt(4) == 0 ? 1_000_000 : 0);
      int c = random.nextInt(12);
      String d = "d".repeat(random.nextInt(3));
      switch (random.nextInt(12)) {
        case 0 -> builder.set("s", "s" + random.nextInt(9));
        case 1 -> builder.deleteRow(c, d);
        case 2 -> builder.deleteRange(ClusteringRange.all().from(c).before(c + random.nextInt(4)));
        case 3 -> builder.deleteRange(ClusteringRange.of(c));
        case 4 -> {
          if (random.nextInt(8) == 0) {
            builder.deletePartition();
          }
        }
        case 5 -> builder.update(c, d).putAll("m", Map.of(random.nextInt(4), "x"));
        case 6 -> builder.update(c, d).remove("m", Set.of(random.nextInt(4)));
        case 7 -> builder.update(c, d).set("m", Map.of(1, "one", random.nextInt(9) + 2, "y"));
        case 8 -> builder.update(c, d).delete("v");
        case 9 -> builder.insert(c, d);
        default -> builder.insert(c, d).set("v", random.nextInt(99)).set("w", "w".repeat(c));
      }
    }
    return builder.build();
  }

  private static List<String> rows(Table table) throws IOException {
    List<String> lines = new ArrayList<>();
    try (LiveRows rows = table.read(table.query().build())) {
      while (rows.hasNext()) {
        Row row = rows.next();
        lines.add(NAMES.stream().map(name -> String.valueOf(row.get(name))).toList().toString());
      }
    }
    return lines;
  }
}
