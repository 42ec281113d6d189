package io.siltstone.interop;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A table of a random wide shape, and rows of it: numbers of static, regular and clustering
 * columns, lengths of values, names and keys, and sizes of collections are on both sides of each
 * threshold of the encoding.
 */
final class WideShapes {
  /**
   * Numbers of columns at thresholds: of bits in a vint, of lists of columns, of growing arrays.
   */
  private static final int[] COLUMNS = {
    0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 62, 63, 64, 65, 66, 100, 101, 102, 103, 127, 128, 129,
    130, 204, 205, 254, 255, 256, 257
  };

  private static final int[] MANY_COLUMNS = {511, 512, 513, 1000, 1023, 1024, 1025, 4096, 10_000};
  private static final int[] CLUSTERINGS = {
    0, 1, 1, 1, 2, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65
  };

  /** Lengths of values at thresholds: of vints with one, two and three bytes, and of 16 bits. */
  private static final int[] LENGTHS = {
    0, 1, 7, 8, 63, 64, 127, 128, 129, 255, 256, 4095, 16_383, 16_384, 65_535, 65_536
  };

  private static final int[] KEY_LENGTHS = {1, 2, 15, 16, 17, 127, 128, 255, 256, 1000, 16_384};
  private static final int[] ELEMENTS = {1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 300};
  private static final String[] TYPES = {
    "int",
    "int",
    "int",
    "int",
    "bigint",
    "blob",
    "text",
    "boolean",
    "set<int>",
    "map<int, blob>",
    "list<text>"
  };

  private final Random random;
  private final String table;
  private final boolean mayBeHuge;
  private final int keys;
  private final int clusterings;
  private final List<String> names = new ArrayList<>();
  private final List<String> types = new ArrayList<>();
  private final int statics;
  private final boolean[] clusteringIsBlob;

  /**
   * Draws a shape.
   *
   * @param mayBeHuge whether there may be thousands of columns, for which Cassandra takes seconds
   */
  WideShapes(Random random, String table, boolean mayBeHuge) {
    this.random = random;
    this.table = CassandraNode.KEYSPACE + "." + table;
    this.mayBeHuge = mayBeHuge;
    this.keys = 1 + random.nextInt(3);
    this.clusterings = CLUSTERINGS[random.nextInt(CLUSTERINGS.length)];
    this.statics = clusterings == 0 ? 0 : columnCount();
    this.clusteringIsBlob = new boolean[clusterings];
    for (int i = 0; i < clusterings; i++) {
      clusteringIsBlob[i] = random.nextInt(3) == 0;
    }
    int regulars = columnCount();
    for (int i = 0; i < statics + regulars; i++) {
      names.add(name(i));
      types.add(random.nextBoolean() ? "int" : TYPES[random.nextInt(TYPES.length)]);
    }
  }

  private int columnCount() {
    int[] counts = mayBeHuge && random.nextInt(4) == 0 ? MANY_COLUMNS : COLUMNS;
    return counts[random.nextInt(counts.length)];
  }

  private String name(int i) {
    String plain = "c" + i;
    return switch (random.nextInt(8)) {
      case 0 -> plain + "_" + "n".repeat(1 + random.nextInt(40));
      case 1 -> "\"" + plain.toUpperCase(Locale.ROOT) + " é\"";
      default -> plain;
    };
  }

  String createTable() {
    StringJoiner columns = new StringJoiner(", ");
    StringJoiner primary = new StringJoiner(", ", "PRIMARY KEY (", ")");
    StringJoiner key = new StringJoiner(", ", "(", ")");
    for (int i = 0; i < keys; i++) {
      columns.add("pk" + i + " blob");
      key.add("pk" + i);
    }
    primary.add(key.toString());
    for (int i = 0; i < clusterings; i++) {
      columns.add("ck" + i + (clusteringIsBlob[i] ? " blob" : " int"));
      primary.add("ck" + i);
    }
    for (int i = 0; i < names.size(); i++) {
      columns.add(names.get(i) + " " + types.get(i) + (i < statics ? " static" : ""));
    }
    columns.add(primary.toString());
    return "CREATE TABLE " + table + " (" + columns + ") WITH gc_grace_seconds = 2000000000";
  }

  /** A statement with its values. */
  record Statement(String cql, List<@Nullable ByteBuffer> values) {}

  /**
   * Returns changes of a partition: its static row with none, some or all columns, and rows
   * likewise.
   */
  List<Statement> partition() {
    List<Statement> statements = new ArrayList<>();
    List<ByteBuffer> key = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      key.add(bytes(KEY_LENGTHS[random.nextInt(KEY_LENGTHS.length)] / keys + 1));
    }
    int rows = 1 + random.nextInt(clusterings == 0 ? 1 : 5);
    for (int row = 0; row < rows; row++) {
      statements.add(insert(key, row, random.nextInt(row == 0 ? 4 : 8)));
    }
    if (clusterings > 0 && random.nextInt(3) == 0) {
      List<@Nullable ByteBuffer> values = new ArrayList<>(key);
      values.add(clustering(0, 1));
      statements.add(
          new Statement(
              "DELETE FROM " + table + " USING TIMESTAMP 1000 WHERE " + keyIs() + " AND ck0 = ?",
              values));
    }
    return statements;
  }

  private String keyIs() {
    StringJoiner is = new StringJoiner(" AND ");
    for (int i = 0; i < keys; i++) {
      is.add("pk" + i + " = ?");
    }
    return is.toString();
  }

  private Statement insert(List<ByteBuffer> key, int row, int howManyStatics) {
    StringJoiner columns = new StringJoiner(", ");
    StringJoiner marks = new StringJoiner(", ");
    List<@Nullable ByteBuffer> values = new ArrayList<>(key);
    for (int i = 0; i < keys; i++) {
      columns.add("pk" + i);
      marks.add("?");
    }
    for (int i = 0; i < clusterings; i++) {
      columns.add("ck" + i);
      marks.add("?");
      values.add(clustering(i, row));
    }
    addCells(columns, marks, 0, statics, howManyStatics);
    addCells(columns, marks, statics, names.size(), random.nextInt(4));
    return new Statement(
        "INSERT INTO "
            + table
            + " ("
            + columns
            + ") VALUES ("
            + marks
            + ") USING TIMESTAMP "
            + (900 + random.nextInt(200)),
        values);
  }

  /** Sets none (0), all (1), nearly half (2) or any (3) of some columns; none if more. */
  private void addCells(StringJoiner columns, StringJoiner marks, int from, int to, int howMany) {
    int count = to - from;
    int wanted =
        switch (howMany) {
          case 1 -> count;
          case 2 -> Math.max(0, Math.min(count, count / 2 - 1 + random.nextInt(3)));
          case 3 -> count == 0 ? 0 : random.nextInt(count + 1);
          default -> 0;
        };
    int left = wanted;
    for (int i = from; i < to; i++) {
      // Each subset of that size has the same probability.
      if (random.nextInt(to - i) < left) {
        left--;
        columns.add(names.get(i));
        marks.add(literal(types.get(i)));
      }
    }
  }

  private ByteBuffer clustering(int column, int row) {
    return clusteringIsBlob[column]
        ? bytes(LENGTHS[row % 10])
        : ByteBuffer.allocate(Integer.BYTES).putInt(0, column + row);
  }

  private ByteBuffer bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private String literal(String type) {
    return switch (type) {
      case "int" -> Integer.toString(random.nextInt());
      case "bigint" -> Long.toString(random.nextLong());
      case "boolean" -> Boolean.toString(random.nextBoolean());
      case "blob" -> "0x" + "ab".repeat(length());
      case "text" -> "'" + "t".repeat(length()) + "'";
      case "set<int>" -> elements(i -> Integer.toString(i), "{", "}");
      case "map<int, blob>" -> elements(i -> i + ": 0x" + "cd".repeat(i % 130), "{", "}");
      case "list<text>" -> elements(i -> "'" + "l".repeat(i % 66) + "'", "[", "]");
      default -> throw new IllegalArgumentException(type);
    };
  }

  private int length() {
    // Long values are rare, because there may be thousands of columns.
    int bound = random.nextInt(20) == 0 && names.size() < 200 ? LENGTHS.length : 11;
    return LENGTHS[random.nextInt(bound)];
  }

  private String elements(IntFunction<String> element, String open, String close) {
    StringJoiner all = new StringJoiner(", ", open, close);
    int bound = names.size() < 200 ? ELEMENTS.length : 3;
    int count = ELEMENTS[random.nextInt(bound)];
    for (int i = 0; i < count; i++) {
      all.add(element.apply(i));
    }
    return all.toString();
  }

  @Override
  public String toString() {
    return keys
        + " key columns, "
        + clusterings
        + " clustering columns, "
        + statics
        + " static and "
        + (names.size() - statics)
        + " regular columns";
  }
}
