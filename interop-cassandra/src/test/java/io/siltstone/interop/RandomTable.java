package io.siltstone.interop;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

/**
 * A random table definition: all CQL types, one to three partition key columns, up to four
 * clustering columns in either order, statics, counters, more than 64 columns, every compressor.
 *
 * @param name of the table, without keyspace
 * @param createTypes {@code CREATE TYPE} statements
 * @param createTable the {@code CREATE TABLE} statement
 */
record RandomTable(String name, List<String> createTypes, String createTable) {

  private static final String[] SCALARS = {
    "text",
    "int",
    "bigint",
    "blob",
    "uuid",
    "timeuuid",
    "ascii",
    "varchar",
    "smallint",
    "tinyint",
    "varint",
    "decimal",
    "boolean",
    "float",
    "double",
    "timestamp",
    "date",
    "time",
    "inet"
  };

  private static final String[] COMPRESSORS = {
    "LZ4Compressor", "ZstdCompressor", "SnappyCompressor", "DeflateCompressor", "NoopCompressor"
  };

  /**
   * @param options of the node, because vectors cannot be stored in every version
   */
  static RandomTable of(long seed, String name, NodeOptions options) {
    Generator generator = new Generator(new Random(seed), name, options.isSinceFive());
    String createTable = generator.createTable();
    return new RandomTable(name, List.copyOf(generator.createTypes), createTable);
  }

  /** Returns all statements, for a report. */
  @Override
  public String toString() {
    return String.join(";\n", createTypes) + (createTypes.isEmpty() ? "" : ";\n") + createTable;
  }

  private static final class Generator {
    private final Random random;
    private final String table;
    private final boolean vectors;
    private final List<String> createTypes = new ArrayList<>();

    Generator(Random random, String table, boolean vectors) {
      this.random = random;
      this.table = table;
      this.vectors = vectors;
    }

    String createTable() {
      boolean counters = random.nextInt(10) == 0;
      int keys = random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1;
      int clusterings = random.nextInt(6) == 0 ? 0 : 1 + random.nextInt(random.nextInt(3) + 2);
      int statics = clusterings == 0 || random.nextBoolean() ? 0 : 1 + random.nextInt(3);
      int regulars = random.nextInt(8) == 0 ? 65 + random.nextInt(30) : random.nextInt(9);
      if (counters) {
        regulars = 1 + random.nextInt(3);
      }
      StringJoiner columns = new StringJoiner(", ");
      StringJoiner key = new StringJoiner(", ", "(", ")");
      StringJoiner primary = new StringJoiner(", ", "PRIMARY KEY (", ")");
      StringJoiner order = new StringJoiner(", ", "CLUSTERING ORDER BY (", ") AND ");
      for (int i = 0; i < keys; i++) {
        columns.add("k" + i + " " + keyType());
        key.add("k" + i);
      }
      primary.add(key.toString());
      for (int i = 0; i < clusterings; i++) {
        columns.add("c" + i + " " + keyType());
        primary.add("c" + i);
        order.add("c" + i + (random.nextBoolean() ? " DESC" : " ASC"));
      }
      for (int i = 0; i < statics; i++) {
        columns.add(name("s", i) + " " + (counters ? "counter" : valueType()) + " static");
      }
      boolean narrow = regulars > 64;
      for (int i = 0; i < regulars; i++) {
        String type = counters ? "counter" : narrow && i % 8 != 0 ? "int" : valueType();
        columns.add(name("v", i) + " " + type);
      }
      columns.add(primary.toString());
      return "CREATE TABLE "
          + CassandraNode.KEYSPACE
          + "."
          + table
          + " ("
          + columns
          + ") WITH "
          + (clusterings == 0 ? "" : order)
          + options(counters);
    }

    /** Returns a name; some need quotes, and columns are ordered by the bytes of their names. */
    private String name(String prefix, int i) {
      return switch (random.nextInt(6)) {
        case 0 -> "\"" + prefix.toUpperCase(java.util.Locale.ROOT) + i + " \"\"é\"";
        case 1 -> "\"" + i + prefix + "\"";
        default -> prefix + i;
      };
    }

    private String options(boolean counters) {
      List<String> options = new ArrayList<>();
      options.add(compression());
      options.add("compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
      double[] chances = {0.01, 0.1, 0.001, 1.0};
      options.add("bloom_filter_fp_chance = " + chances[random.nextInt(chances.length)]);
      options.add("gc_grace_seconds = " + (random.nextBoolean() ? 864_000 : 2_000_000_000));
      int interval = random.nextBoolean() ? 128 : 1 + random.nextInt(8);
      options.add("min_index_interval = " + interval);
      options.add("max_index_interval = " + Math.max(2048, interval));
      if (!counters && random.nextInt(6) == 0) {
        options.add("default_time_to_live = " + (1 + random.nextInt(100_000)));
      }
      return String.join(" AND ", options);
    }

    private String compression() {
      if (random.nextInt(5) == 0) {
        return "compression = {'enabled': 'false'}";
      }
      String extra =
          random.nextInt(3) == 0 ? ", 'min_compress_ratio': " + (1.0 + random.nextInt(4)) : "";
      String compressor = COMPRESSORS[random.nextInt(COMPRESSORS.length)];
      if (compressor.equals("LZ4Compressor") && random.nextInt(3) == 0) {
        extra += ", 'lz4_compressor_type': 'high', 'lz4_high_compressor_level': 12";
      } else if (compressor.equals("ZstdCompressor") && random.nextInt(3) == 0) {
        extra += ", 'compression_level': " + (random.nextInt(12) - 5);
      }
      return "compression = {'class': '%s', 'chunk_length_in_kb': %d%s}"
          .formatted(compressor, 4 << random.nextInt(7), extra);
    }

    /** Returns any type with an order. */
    private String keyType() {
      return switch (random.nextInt(12)) {
        case 0 -> "frozen<" + collection(scalar(), 1) + ">";
        case 1 -> "frozen<tuple<" + scalar() + ", " + scalar() + ">>";
        case 2 -> vectors ? vector() : scalar();
        default -> scalar();
      };
    }

    private String valueType() {
      return switch (random.nextInt(16)) {
        case 0, 1, 2, 3 -> collection(valueElement(), 2); // not frozen
        case 4 -> "frozen<" + collection(valueElement(), 2) + ">";
        case 5 -> "frozen<tuple<" + scalar() + ", " + valueElement() + ", duration>>";
        case 6, 7 -> userType(); // not frozen
        case 8 -> "frozen<" + userType() + ">";
        case 9 -> vectors ? vector() : scalar();
        case 10 -> "duration";
        default -> scalar();
      };
    }

    private String valueElement() {
      return switch (random.nextInt(6)) {
        case 0 -> "frozen<" + collection(scalar(), 1) + ">";
        case 1 -> "frozen<tuple<" + scalar() + ", " + scalar() + ">>";
        case 2 -> "frozen<" + userType() + ">";
        default -> scalar();
      };
    }

    private String collection(String element, int depth) {
      String inner = depth > 1 ? element : scalar();
      return switch (random.nextInt(3)) {
        case 0 -> "list<" + inner + ">";
        case 1 -> "set<" + inner + ">";
        default -> "map<" + scalar() + ", " + inner + ">";
      };
    }

    private String vector() {
      String[] elements = {"float", "float", "int", "text", "double", "frozen<list<int>>"};
      return "vector<"
          + elements[random.nextInt(elements.length)]
          + ", "
          + (1 + random.nextInt(5))
          + ">";
    }

    private String userType() {
      String type = table + "_u" + createTypes.size();
      StringJoiner fields = new StringJoiner(", ", "(", ")");
      int count = 1 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        String fieldType =
            random.nextInt(4) == 0 ? "frozen<" + collection(scalar(), 1) + ">" : scalar();
        fields.add(name("f", i) + " " + fieldType);
      }
      createTypes.add("CREATE TYPE " + CassandraNode.KEYSPACE + "." + type + " " + fields);
      return CassandraNode.KEYSPACE + "." + type;
    }

    private String scalar() {
      return SCALARS[random.nextInt(SCALARS.length)];
    }
  }
}
