package io.siltstone.model;

import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A table of a sequence.
 *
 * @param createTypes statements, in the order of their dependencies
 * @param createTable the statement
 */
public record TableDefinition(String name, List<String> createTypes, String createTable) {
  /** The keyspace of all tables. */
  public static final String KEYSPACE = "ks";

  /** Statements that make the table. */
  public String cql() {
    return String.join("", createTypes) + createTable;
  }

  /** As it begins. */
  public TableSchema schema() {
    return SchemaParser.parse(cql()).onlyTable();
  }

  /** A random one. */
  static TableDefinition draw(Random random, String name) {
    String type = KEYSPACE + ".pair_" + name;
    List<String> columns = new ArrayList<>();
    List<String> key = new ArrayList<>();
    List<String> order = new ArrayList<>();
    String partitionKey =
        switch (random.nextInt(3)) {
          case 0 -> "k int";
          case 1 -> "k text";
          default -> "k int, k2 text";
        };
    columns.add(partitionKey);
    key.add(partitionKey.contains("k2") ? "(k, k2)" : "k");
    int clusterings = random.nextInt(3);
    for (int i = 1; i <= clusterings; i++) {
      columns.add("c" + i + (random.nextBoolean() ? " int" : " text"));
      key.add("c" + i);
      order.add("c" + i + (random.nextBoolean() ? " ASC" : " DESC"));
    }
    if (clusterings > 0 && random.nextInt(3) > 0) {
      columns.add("s int static");
      if (random.nextBoolean()) {
        columns.add("ss set<int> static");
      }
    }
    columns.add("v int");
    for (String column :
        List.of(
            "t text",
            "li list<int>",
            "se set<text>",
            "ma map<int, text>",
            "fl frozen<list<int>>",
            "u " + type,
            "fu frozen<" + type + ">")) {
      if (random.nextInt(3) == 0) {
        columns.add(column);
      }
    }
    List<String> options = new ArrayList<>();
    if (!order.isEmpty()) {
      options.add("CLUSTERING ORDER BY (" + String.join(", ", order) + ")");
    }
    if (random.nextInt(6) == 0) {
      options.add("default_time_to_live = 5");
    }
    String create =
        "CREATE TABLE "
            + KEYSPACE
            + "."
            + name
            + " ("
            + String.join(", ", columns)
            + ", PRIMARY KEY ("
            + String.join(", ", key)
            + "))"
            + (options.isEmpty() ? "" : " WITH " + String.join(" AND ", options))
            + ";\n";
    boolean hasType = create.contains(type);
    return new TableDefinition(
        name, hasType ? List.of("CREATE TYPE " + type + " (a int, b text);\n") : List.of(), create);
  }
}
