package io.siltstone.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Text of a table reads back to the table; text that is no table gives an error that says so. */
class SchemaRoundTripTest {
  private static final int TABLES = 1000;
  private static final int MUTATIONS = 2_500;

  @Test
  void textOfRandomTableReadsBackToTheTable() {
    long first = new Random().nextLong();
    for (long seed = first; seed < first + TABLES; seed++) {
      TableSchema table = RandomSchemas.table(seed);
      String text = SchemaFormatter.format(table);
      Schema schema = SchemaParser.parse(text);
      assertThat(schema.onlyTable())
          .as("RandomSchemas.table(%dL):\n%s", seed, text)
          .isEqualTo(table);
      assertThat(schema.warnings()).as("RandomSchemas.table(%dL)", seed).isEmpty();
      assertThat(SchemaFormatter.format(schema.onlyTable()))
          .as("RandomSchemas.table(%dL)", seed)
          .isEqualTo(text);
    }
  }

  @Test
  void builderWithoutDefinitionsOfUserTypesFindsThemInTheColumns() {
    long first = new Random().nextLong();
    for (long seed = first; seed < first + 500; seed++) {
      TableSchema table = RandomSchemas.table(seed);
      TableSchema.Builder builder = TableSchema.builder(table.keyspace(), table.name());
      table.partitionKeyColumns().forEach(c -> builder.partitionKey(c.name(), c.type()));
      table.clusteringColumns().forEach(c -> builder.clustering(c.name(), c.type()));
      table.staticColumns().forEach(c -> builder.staticColumn(c.name(), c.type()));
      table.regularColumns().forEach(c -> builder.regular(c.name(), c.type()));
      TableSchema built = builder.build();
      assertThat(SchemaParser.parse(SchemaFormatter.format(built)).onlyTable())
          .as("RandomSchemas.table(%dL)", seed)
          .isEqualTo(built);
    }
  }

  @Test
  void randomTablesHaveEverything() {
    Set<String> seen = new HashSet<>();
    for (long seed = 0; seed < 300; seed++) {
      TableSchema table = RandomSchemas.table(seed);
      table.regularColumns().forEach(c -> seen.add(c.type().kind() + " " + c.type().isMultiCell()));
      table.clusteringColumns().forEach(c -> seen.add(c.type().kind().toString()));
      seen.add(table.isCounter() ? "counter" : "no counter");
      seen.add(table.hasStatic() ? "static" : "no static");
      seen.add(table.droppedColumns().isEmpty() ? "no drop" : "drop");
      seen.add(table.keyType().kind().toString());
    }
    assertThat(seen)
        .contains(
            "SCALAR false",
            "LIST true",
            "LIST false",
            "SET true",
            "MAP true",
            "TUPLE false",
            "VECTOR false",
            "USER true",
            "USER false",
            "REVERSED",
            "COMPOSITE",
            "counter",
            "static",
            "no static",
            "drop");
  }

  @Test
  void mutatedTextGivesATableOrASchemaException() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    String[] pieces = {
      "<",
      ">",
      "(",
      ")",
      "{",
      "}",
      ",",
      ";",
      "'",
      "\"",
      ".",
      "frozen<",
      "static",
      "PRIMARY KEY",
      "AND",
      "--",
      "/*",
      "*/",
      "counter",
      "list<int>",
      "\0",
      "\uD800",
      "😀",
      "-1",
      "1e999",
      "99999999999999999999",
      "0x",
      "WITH",
      "$$",
      "'org.apache.cassandra.db.marshal.ReversedType("
    };
    int read = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      StringBuilder text =
          new StringBuilder(SchemaFormatter.format(RandomSchemas.table(random.nextInt(200))));
      for (int j = 1 + random.nextInt(4); j > 0; j--) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + random.nextInt(12));
        switch (random.nextInt(4)) {
          case 0 -> text.delete(at, end);
          case 1 -> text.insert(at, pieces[random.nextInt(pieces.length)]);
          case 2 -> text.insert(random.nextInt(text.length() + 1), text.substring(at, end));
          default -> text.replace(at, end, Character.toString(32 + random.nextInt(95)));
        }
      }
      try {
        SchemaParser.parse(text.toString());
        read++;
      } catch (SchemaException e) {
        assertThat(e.line()).as("seed %d, mutation %d: %s", seed, i, e).isPositive();
      } catch (RuntimeException | StackOverflowError e) {
        fail("seed " + seed + ", mutation " + i + ":\n" + text, e);
      }
    }
    assertThat(read).as("seed %d: readable ones among the mutations", seed).isPositive();
  }

  @Test
  void deepNestingIsRefusedAndDoesNotOverflowTheStack() {
    for (String open : List.of("frozen<list<", "tuple<", "vector<", "list<")) {
      String text = "CREATE TABLE ks.t (k int PRIMARY KEY, v " + open.repeat(100_000) + "int";
      try {
        SchemaParser.parse(text);
        fail("accepted " + open);
      } catch (SchemaException e) {
        assertThat(e).hasMessageContaining("deeper than");
      }
    }
  }

  @Test
  void userTypesThatMultiplyAreRefusedBeforeTheyFillTheMemory() {
    StringBuilder text = new StringBuilder("USE ks; CREATE TYPE u0 (a int, b int);\n");
    for (int i = 1; i < 60; i++) {
      String inner = "frozen<u" + (i - 1) + ">";
      text.append("CREATE TYPE u" + i + " (a " + inner + ", b " + inner + ");\n");
    }
    try {
      SchemaParser.parse(text.toString());
      fail("accepted");
    } catch (SchemaException e) {
      assertThat(e).hasMessageContaining("allowed 2000 parts");
      assertThat(e.line()).isBetween(8, 13);
    }
  }
}
