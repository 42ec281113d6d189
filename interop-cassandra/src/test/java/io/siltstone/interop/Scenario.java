package io.siltstone.interop;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A known pitfall of the file formats, as a table and its history. Seconds are taken from the
 * statement's index, so that local deletion times differ.
 *
 * @param name the rule
 * @param createTable with {@code %t} for the table's name
 * @param statements with {@code %t}; {@code FLUSH} begins a new SSTable
 */
record Scenario(String name, String createTable, List<String> statements) {

  private static final long NOW_SECONDS = 1_700_000_000L;
  private static final String SMALL = "(k text, c int, v text, PRIMARY KEY (k, c))";

  @Override
  public String toString() {
    return name;
  }

  /**
   * Creates the table and executes everything; closing the table drops it. SSTables are written in
   * BTI for half of the scenarios.
   */
  CassandraTable run(CassandraNode node) {
    SelectedFormat.bySeed(node, name.hashCode());
    return runInSelected(node);
  }

  /** Runs the scenario as {@link #run}, without a change of the format. */
  CassandraTable runInSelected(CassandraNode node) {
    String table = node.newTableName();
    CassandraTable created =
        CassandraTable.create(node, table, List.of(), createTable.replace("%t", "ks." + table));
    try {
      long now = NOW_SECONDS;
      for (String statement : statements) {
        now++;
        if (statement.equals("FLUSH")) {
          created.flush();
        } else if (statement.startsWith("AT ")) {
          String[] parts = statement.split(" ", 3);
          created.execute(
              parts[2].replace("%t", "ks." + table), Long.parseLong(parts[1]), List.of());
        } else {
          created.execute(statement.replace("%t", "ks." + table), now, List.of());
        }
      }
      created.flush();
    } catch (RuntimeException | Error e) {
      created.close();
      throw e;
    }
    return created;
  }

  /** Returns whether the version can store it. */
  boolean fits(NodeOptions options) {
    return options.isSinceFive() || !name.contains("2106");
  }

  static Stream<Scenario> all(NodeOptions options) {
    List<Scenario> all = new ArrayList<>();
    partitions(all);
    tombstones(all);
    expirations(all);
    columns(all);
    indexBlocks(all);
    chunks(all);
    keys(all);
    counters(all);
    return all.stream().filter(scenario -> scenario.fits(options));
  }

  /**
   * Returns the scenarios of a test run: all of them in the first, with version oa and the usual
   * partitioner. In the others those that depend on what is different: how times of deletions and
   * of expiry are written in version nb, and the order of keys with the other partitioner. Of the
   * rest every third, another third in each run. All of them with {@code interop.scale}.
   */
  static Stream<Scenario> ofRun(NodeOptions options) {
    if (isLarge() || isFirstRun(options)) {
      return all(options);
    }
    boolean isNb = !options.isSinceFive();
    List<Scenario> some = new ArrayList<>();
    if (isNb) {
      tombstones(some);
      expirations(some);
    } else {
      partitions(some);
      keys(some);
    }
    List<Scenario> rest = new ArrayList<>();
    if (isNb) {
      partitions(rest);
      keys(rest);
    } else {
      tombstones(rest);
      expirations(rest);
    }
    columns(rest);
    indexBlocks(rest);
    chunks(rest);
    counters(rest);
    some.addAll(everyThird(rest, isNb ? 0 : 1));
    return some.stream().filter(scenario -> scenario.fits(options));
  }

  /** Returns whether this is the run with version oa and the usual partitioner. */
  static boolean isFirstRun(NodeOptions options) {
    return options.version().equals("oa")
        && options.partitioner() == NodeOptions.Partitioner.MURMUR3;
  }

  /** Returns whether more is tested than in each build. */
  static boolean isLarge() {
    return Integer.getInteger("interop.scale", 1) > 1;
  }

  private static List<Scenario> everyThird(List<Scenario> all, int first) {
    List<Scenario> some = new ArrayList<>();
    for (int i = first; i < all.size(); i += 3) {
      some.add(all.get(i));
    }
    return some;
  }

  /**
   * Returns scenarios with several SSTables, in which one SSTable's data of a row or range ties
   * with another's.
   */
  static Stream<Scenario> ofMerges() {
    List<Scenario> all = new ArrayList<>();
    cellTies(all);
    deletionTies(all);
    rangesOfSeveral(all);
    timesBelowThoseOfMost(all);
    Collections.addAll(
        all,
        columnDropped("", "int"),
        columnDropped(" static", "int"),
        columnDropped("", "set<int>"));
    return all.stream();
  }

  private static void cellTies(List<Scenario> all) {
    String[] versions = {
      "5000 UPDATE %t USING TIMESTAMP 5 SET v = 'a'",
      "5000 UPDATE %t USING TIMESTAMP 5 SET v = 'b'",
      "5000 UPDATE %t USING TIMESTAMP 5 SET v = ''",
      "5000 UPDATE %t USING TIMESTAMP 5 AND TTL 60 SET v = 'a'",
      "5000 UPDATE %t USING TIMESTAMP 5 AND TTL 60 SET v = 'b'",
      "5001 UPDATE %t USING TIMESTAMP 5 AND TTL 59 SET v = 'a'",
      "4999 UPDATE %t USING TIMESTAMP 5 AND TTL 60 SET v = 'z'",
      "5000 UPDATE %t USING TIMESTAMP 5 SET v = null",
      "5001 UPDATE %t USING TIMESTAMP 5 SET v = null",
      "5060 UPDATE %t USING TIMESTAMP 5 SET v = null",
      "5000 INSERT 5",
      "5000 INSERT 5 AND TTL 60",
      "5001 INSERT 5 AND TTL 59",
      "4000 INSERT 5 AND TTL 70",
      "5000 DELETE FROM %t USING TIMESTAMP 5",
      "5001 DELETE FROM %t USING TIMESTAMP 5",
      "5001 DELETE FROM %t USING TIMESTAMP 4",
    };
    // Each pair is a row, of two SSTables in either order.
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    int row = 0;
    for (String left : versions) {
      for (String right : versions) {
        first.add(ofRow(left, row));
        second.add(ofRow(right, row));
        row++;
      }
    }
    first.add("FLUSH");
    first.addAll(second);
    add(all, "everyPairOfVersionsOfOneTimestamp", "CREATE TABLE %t " + SMALL, first);
  }

  private static String ofRow(String version, int row) {
    String[] parts = version.split(" ", 2);
    String at = "AT 170000" + parts[0] + " ";
    return parts[1].startsWith("INSERT ")
        ? at
            + "INSERT INTO %t (k, c) VALUES ('a', "
            + row
            + ") USING TIMESTAMP "
            + parts[1].substring(7)
        : at + parts[1] + " WHERE k = 'a' AND c = " + row;
  }

  private static void deletionTies(List<Scenario> all) {
    String[] versions = {
      "INSERT INTO %t (k, c, m) VALUES (1, %d, {1: 1, 2: 2}) USING TIMESTAMP 5",
      "UPDATE %t USING TIMESTAMP 4 SET m[1] = 9, m[3] = 3 WHERE k = 1 AND c = %d",
      "UPDATE %t USING TIMESTAMP 5 SET m[1] = null, m[2] = 3 WHERE k = 1 AND c = %d",
      "UPDATE %t USING TIMESTAMP 5 AND TTL 60 SET m[1] = 1 WHERE k = 1 AND c = %d",
      "DELETE m FROM %t USING TIMESTAMP 4 WHERE k = 1 AND c = %d",
      "DELETE m FROM %t USING TIMESTAMP 5 WHERE k = 1 AND c = %d",
      "DELETE FROM %t USING TIMESTAMP 4 WHERE k = 1 AND c = %d",
      "DELETE FROM %t USING TIMESTAMP 5 WHERE k = 1 AND c = %d",
      "DELETE FROM %t USING TIMESTAMP 5 WHERE k = 1 AND c >= %d AND c <= %<d",
      "DELETE FROM %t USING TIMESTAMP 4 WHERE k = 1 AND c >= %d AND c <= %<d",
    };
    for (boolean ofPartition : new boolean[] {false, true}) {
      List<String> first = new ArrayList<>();
      List<String> second = new ArrayList<>();
      int row = 0;
      for (String left : versions) {
        for (String right : versions) {
          first.add(left.replace("%t", "%%t").formatted(row));
          second.add(right.replace("%t", "%%t").formatted(row));
          row++;
        }
      }
      if (ofPartition) {
        first.add("DELETE FROM %t USING TIMESTAMP 4 WHERE k = 1");
      }
      first.add("FLUSH");
      first.addAll(second);
      add(
          all,
          "everyPairOfDeletionsOfOneTimestamp" + (ofPartition ? "AndOfTheirPartition" : ""),
          "CREATE TABLE %t (k int, c int, m map<int, int>, PRIMARY KEY (k, c))",
          first);
    }
  }

  /** Timestamps, deletion times and TTLs of a small SSTable are less than all of a large one. */
  private static void timesBelowThoseOfMost(List<Scenario> all) {
    List<String> statements = new ArrayList<>();
    for (int row = 0; row < 200; row++) {
      statements.add(
          "AT 1900000000 INSERT INTO %t (k, c, v, m) VALUES (1, "
              + row
              + ", 'some text', {1: 1}) USING TIMESTAMP 1800000000000000 AND TTL 500000");
    }
    statements.add("FLUSH");
    for (long micros : new long[] {-9223372036854775807L, -1, 0, 1, 1_700_000_000_000_000L}) {
      for (int seconds : new int[] {1, 1_000_000, 1_800_000_000, 1_900_000_000}) {
        String at = "AT " + seconds + " ";
        String using = " USING TIMESTAMP " + micros;
        String row = " WHERE k = 1 AND c = " + (1000 + statements.size());
        statements.add(at + "UPDATE %t" + using + " AND TTL 60 SET v = 'a', m[1] = 1" + row);
        statements.add(at + "UPDATE %t" + using + " SET v = null, m[2] = null" + row);
        row = " WHERE k = 1 AND c = " + (1000 + statements.size());
        statements.add(at + "UPDATE %t" + using + " AND TTL 1 SET v = 'b', m = {3: 4}" + row);
        if (micros >= 0) {
          statements.add(at + "DELETE FROM %t" + using + row.replace("c =", "c >"));
          statements.add(at + "DELETE FROM %t" + using + " WHERE k = " + statements.size());
        }
        statements.add(at + "DELETE FROM %t" + using + row.replace("k = 1", "k = 2"));
        statements.add(at + "INSERT INTO %t (k, c) VALUES (3, 3)" + using + " AND TTL 2");
      }
    }
    add(
        all,
        "timesBelowThoseOfMost",
        "CREATE TABLE %t (k int, c int, v text, m map<int, int>, PRIMARY KEY (k, c))",
        statements);
  }

  /** Every two ranges of a few bounds, equal or not, in separate partitions. */
  private static void rangesOfSeveral(List<Scenario> all) {
    String[] ranges = {
      "c >= 1 AND c < 5",
      "c >= 1 AND c <= 5",
      "c > 1 AND c <= 5",
      "c >= 5 AND c < 9",
      "c > 5 AND c <= 9",
      "c >= 5 AND c <= 5",
      "c > 2",
      "c < 5",
      "c >= 1 AND c < 9",
    };
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    int key = 0;
    for (String left : ranges) {
      for (String right : ranges) {
        for (int timestamp = 4; timestamp <= 6; timestamp++) {
          String where = " WHERE k = '" + key++ + "' AND ";
          first.add("AT 1700000000 DELETE FROM %t USING TIMESTAMP 5" + where + left);
          second.add(
              "AT 170000000"
                  + key % 2
                  + " DELETE FROM %t USING TIMESTAMP "
                  + timestamp
                  + where
                  + right);
        }
        String row =
            "INSERT INTO %t (k, c, v) VALUES ('" + (key - 1) + "', 5, 'x') USING TIMESTAMP 5";
        (key % 2 == 0 ? first : second).add(row);
      }
    }
    first.add("FLUSH");
    first.addAll(second);
    add(all, "everyPairOfRanges", "CREATE TABLE %t " + SMALL, first);
    add(
        all,
        "rangesOfOneDeletionThatMeetBecomeOne",
        "CREATE TABLE %t " + SMALL,
        "AT 1700000000 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c >= 1 AND c < 5",
        "AT 1700000000 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'b' AND c >= 1 AND c < 5",
        "AT 1700000000 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'c'",
        "FLUSH",
        "AT 1700000000 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c >= 5 AND c < 9",
        "AT 1700000001 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'b' AND c >= 5 AND c < 9",
        "AT 1700000001 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'c' AND c >= 5 AND c < 9",
        "FLUSH",
        "AT 1700000000 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c >= 3 AND c <= 9",
        "AT 1700000002 DELETE FROM %t USING TIMESTAMP 4 WHERE k = 'b' AND c >= 3 AND c <= 9",
        "AT 1700000002 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'c'");
  }

  private static Scenario columnDropped(String kind, String type) {
    String where = kind.isEmpty() ? " WHERE k = 1 AND c = " : " WHERE k = ";
    String some = type.equals("int") ? "7" : "{7}";
    return new Scenario(
        "columnDroppedAndBack" + kind.replace(" s", "S") + (type.equals("int") ? "" : "Set"),
        "CREATE TABLE %t (k int, c int, x " + type + kind + ", v int, PRIMARY KEY (k, c))",
        List.of(
            "INSERT INTO %t (k, c, v) VALUES (1, 1, 1) USING TIMESTAMP 5",
            "UPDATE %t USING TIMESTAMP 5 SET x = " + some + where + 1,
            "UPDATE %t USING TIMESTAMP 6 SET x = " + some + where + 2,
            "UPDATE %t USING TIMESTAMP 5 SET x = " + some + where + 3,
            "FLUSH",
            "ALTER TABLE %t DROP x USING TIMESTAMP 5",
            "INSERT INTO %t (k, c, v) VALUES (1, 1, 2) USING TIMESTAMP 4",
            "FLUSH",
            "ALTER TABLE %t ADD x " + type + kind,
            "UPDATE %t USING TIMESTAMP 6 SET x = " + some + where + 1,
            "UPDATE %t USING TIMESTAMP 5 SET x = " + some + where + 2,
            "UPDATE %t USING TIMESTAMP 5 SET x = null" + where + 4));
  }

  private static void partitions(List<Scenario> all) {
    String statics = "CREATE TABLE %t (k text, c int, s text static, v text, PRIMARY KEY (k, c))";
    add(
        all,
        "partitionOfStaticsOnly",
        statics,
        "INSERT INTO %t (k, s) VALUES ('a', 'static') USING TIMESTAMP 5",
        "INSERT INTO %t (k, c, v) VALUES ('b', 1, 'row') USING TIMESTAMP 6");
    add(
        all,
        "staticRowIsThereAndEmptyWhereOnlyOthersHaveOne",
        statics,
        "INSERT INTO %t (k, c, v) VALUES ('a', 1, 'row') USING TIMESTAMP 5",
        "INSERT INTO %t (k, c, s) VALUES ('b', 1, 'both') USING TIMESTAMP 6",
        "DELETE FROM %t USING TIMESTAMP 9 WHERE k = 'c'");
    add(
        all,
        "staticColumnsOfTheTableButNotOfTheFile",
        statics,
        "INSERT INTO %t (k, c, v) VALUES ('a', 1, 'row') USING TIMESTAMP 5");
    add(
        all,
        "rowsOfKeysOnly",
        "CREATE TABLE %t (k text, c int, PRIMARY KEY (k, c))",
        "INSERT INTO %t (k, c) VALUES ('a', 1) USING TIMESTAMP 5",
        "INSERT INTO %t (k, c) VALUES ('a', 2) USING TIMESTAMP 5 AND TTL 100");
    add(
        all,
        "partitionOfOneRowWithoutClustering",
        "CREATE TABLE %t (k int PRIMARY KEY, v text)",
        "INSERT INTO %t (k, v) VALUES (1, 'a') USING TIMESTAMP 5",
        "UPDATE %t USING TIMESTAMP 6 SET v = 'b' WHERE k = 2",
        "DELETE v FROM %t USING TIMESTAMP 7 WHERE k = 3",
        "DELETE FROM %t USING TIMESTAMP 8 WHERE k = 4");
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      many.add("INSERT INTO %t (k, v) VALUES (" + i * 7919 + ", 'x') USING TIMESTAMP " + i);
    }
    add(
        all,
        "manyPartitionsAndASummaryOfSeveralEntries",
        "CREATE TABLE %t (k int PRIMARY KEY, v text) WITH min_index_interval = 16",
        many.toArray(String[]::new));
  }

  private static void tombstones(List<Scenario> all) {
    String table = "CREATE TABLE %t " + SMALL;
    add(
        all,
        "tombstoneAndExpiringCellOfOneTimestamp",
        table,
        "INSERT INTO %t (k, c, v) VALUES ('a', 1, 'x') USING TIMESTAMP 5 AND TTL 1000",
        "DELETE v FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c = 1");
    add(
        all,
        "deletedCellHasNoValueAndSaysSo",
        table,
        "INSERT INTO %t (k, c, v) VALUES ('a', 1, null) USING TIMESTAMP 5",
        "INSERT INTO %t (k, c, v) VALUES ('a', 2, '') USING TIMESTAMP 5");
    add(
        all,
        "rowDeletionBesideYoungerCells",
        table,
        "DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c = 1",
        "INSERT INTO %t (k, c, v) VALUES ('a', 1, 'younger') USING TIMESTAMP 6",
        "DELETE FROM %t USING TIMESTAMP 6 WHERE k = 'a' AND c = 2",
        "UPDATE %t USING TIMESTAMP 7 SET v = 'y' WHERE k = 'a' AND c = 2");
    add(
        all,
        "rangesThatMeetMakeABoundary",
        table,
        "DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c >= 1 AND c < 5",
        "DELETE FROM %t USING TIMESTAMP 6 WHERE k = 'a' AND c >= 5 AND c < 9",
        "DELETE FROM %t USING TIMESTAMP 7 WHERE k = 'a' AND c > 7 AND c <= 8",
        "DELETE FROM %t USING TIMESTAMP 8 WHERE k = 'b' AND c > 3",
        "DELETE FROM %t USING TIMESTAMP 9 WHERE k = 'b' AND c <= 3",
        "DELETE FROM %t USING TIMESTAMP 9 WHERE k = 'c' AND c > 4 AND c < 4");
    add(
        all,
        "rangesOfClusteringPrefixesInMixedOrder",
        "CREATE TABLE %t (k int, a int, b text, c int, v int, PRIMARY KEY (k, a, b, c))"
            + " WITH CLUSTERING ORDER BY (a DESC, b ASC, c DESC)",
        "INSERT INTO %t (k, a, b, c, v) VALUES (1, 1, 'x', 1, 1) USING TIMESTAMP 1",
        "INSERT INTO %t (k, a, b, c, v) VALUES (1, 2, '', -1, 1) USING TIMESTAMP 9",
        "DELETE FROM %t USING TIMESTAMP 5 WHERE k = 1 AND a = 2",
        "DELETE FROM %t USING TIMESTAMP 6 WHERE k = 1 AND a = 2 AND b > 'm'",
        "DELETE FROM %t USING TIMESTAMP 7 WHERE k = 1 AND a = 2 AND b = 'q' AND c <= 3",
        "DELETE FROM %t USING TIMESTAMP 4 WHERE k = 1 AND a > 0 AND a < 7");
    add(
        all,
        "partitionDeletionBesideYoungerRows",
        table,
        "DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a'",
        "INSERT INTO %t (k, c, v) VALUES ('a', 1, 'younger') USING TIMESTAMP 6",
        "DELETE FROM %t USING TIMESTAMP 7 WHERE k = 'a' AND c > 3");
    add(
        all,
        "collectionOverwrittenCarriesADeletion",
        "CREATE TABLE %t (k int PRIMARY KEY, m map<text, int>, s set<int>, l list<text>)",
        "INSERT INTO %t (k, m, s) VALUES (1, {'a': 1}, {1, 2}) USING TIMESTAMP 5",
        "UPDATE %t USING TIMESTAMP 6 SET m['b'] = 2, s = s + {3} WHERE k = 1",
        "UPDATE %t USING TIMESTAMP 6 SET m['b'] = 2 WHERE k = 2",
        "DELETE m FROM %t USING TIMESTAMP 7 WHERE k = 3",
        "DELETE m['x'] FROM %t USING TIMESTAMP 7 WHERE k = 4",
        "UPDATE %t USING TIMESTAMP 8 AND TTL 50 SET m['t'] = 1, l = l + ['y'] WHERE k = 5",
        "INSERT INTO %t (k, m) VALUES (6, {}) USING TIMESTAMP 9");
    add(
        all,
        "rowsWithoutContent",
        "CREATE TABLE %t (k int, c int, l list<int>, ls list<int> static, PRIMARY KEY (k, c))",
        "UPDATE %t USING TIMESTAMP 5 SET l = l + [] WHERE k = 1 AND c = 1",
        "UPDATE %t USING TIMESTAMP 5 SET l = l + [] WHERE k = 1 AND c = 2",
        "UPDATE %t USING TIMESTAMP 5 SET l = l + [7] WHERE k = 1 AND c = 3",
        "UPDATE %t USING TIMESTAMP 5 SET l = l + [] WHERE k = 1 AND c = 4",
        "DELETE FROM %t USING TIMESTAMP 5 WHERE k = 1 AND c > 5 AND c < 9",
        "UPDATE %t USING TIMESTAMP 5 SET ls = ls + [] WHERE k = 2",
        "UPDATE %t USING TIMESTAMP 5 SET l = l + [] WHERE k = 2 AND c = 1",
        "UPDATE %t USING TIMESTAMP 5 SET l = l + [] WHERE k = 3 AND c = 1");
  }

  private static void expirations(List<Scenario> all) {
    String table = "CREATE TABLE %t " + SMALL;
    add(
        all,
        "expiryOfARowMadeByUpdateAndOfOneByInsert",
        table,
        "INSERT INTO %t (k, c, v) VALUES ('a', 1, 'x') USING TIMESTAMP 5 AND TTL 60",
        "UPDATE %t USING TIMESTAMP 5 AND TTL 60 SET v = 'x' WHERE k = 'a' AND c = 2",
        "UPDATE %t USING TIMESTAMP 6 AND TTL 61 SET v = 'y' WHERE k = 'a' AND c = 1");
    add(
        all,
        "timesPast2038UpTo2106",
        table,
        "AT 3000000000 INSERT INTO %t (k, c, v) VALUES ('a', 1, 'x') USING TIMESTAMP 5 AND TTL 9",
        "AT 4294967293 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c = 2",
        "AT 4294967293 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'b'",
        "AT 2147483647 DELETE v FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c = 3",
        "AT 2147483648 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c > 8");
    String[] ofAllKinds = {
      "INSERT INTO %t (k, c, v) VALUES ('a', 1, 'x') USING TIMESTAMP 5 AND TTL 9",
      "DELETE v FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c = 2",
      "DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c = 3",
      "DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c > 5 AND c < 9",
      "DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'b'",
    };
    add(
        all,
        "allTimesBehind2038UpTo2106",
        table,
        Stream.of(ofAllKinds).map(statement -> "AT 2147483648 " + statement).toList());
    add(
        all,
        "rangeDeletionsTooFarApartUpTo2106",
        table,
        "AT 1 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c > 0 AND c < 3",
        "AT 3000000000 DELETE FROM %t USING TIMESTAMP 5 WHERE k = 'a' AND c > 5 AND c < 9",
        "AT 4294967293 DELETE FROM %t USING TIMESTAMP 6 WHERE k = 'a' AND c >= 9 AND c < 12",
        "INSERT INTO %t (k, c, v) VALUES ('a', 7, 'x') USING TIMESTAMP 7",
        "INSERT INTO %t (k, c, v) VALUES ('a', 12, 'x') USING TIMESTAMP 7");
    add(
        all,
        "timestampsFarApartAndNegative",
        table,
        "INSERT INTO %t (k, c, v) VALUES ('a', 1, 'x') USING TIMESTAMP -9223372036854775807",
        "INSERT INTO %t (k, c, v) VALUES ('a', 2, 'x') USING TIMESTAMP 9223372036854775807",
        "INSERT INTO %t (k, c, v) VALUES ('a', 3, 'x') USING TIMESTAMP 0",
        "DELETE FROM %t USING TIMESTAMP 9223372036854775807 WHERE k = 'b'",
        "INSERT INTO %t (k, c, v) VALUES ('c', 3, 'x') USING TIMESTAMP -1 AND TTL 630",
        "DELETE FROM %t USING TIMESTAMP -7 WHERE k = 'c' AND c > 3");
  }

  private static void columns(List<Scenario> all) {
    for (int count : new int[] {1, 7, 8, 63, 64, 65, 71, 128}) {
      StringJoiner names = new StringJoiner(", ");
      IntStream.range(0, count).forEach(i -> names.add("v" + i + " int"));
      List<String> statements = new ArrayList<>();
      Random random = new Random(count);
      for (int row = 0; row < 40; row++) {
        StringJoiner sets = new StringJoiner(", ");
        int least = random.nextInt(count);
        int share = 1 + row % 10;
        for (int i = 0; i < count; i++) {
          if (i == least || random.nextInt(10) < share) {
            sets.add("v" + i + " = " + row);
          }
        }
        statements.add("UPDATE %t USING TIMESTAMP 7 SET " + sets + " WHERE k = 1 AND c = " + row);
      }
      StringJoiner every = new StringJoiner(", ");
      IntStream.range(0, count).forEach(i -> every.add("v" + i + " = 1"));
      statements.add("UPDATE %t USING TIMESTAMP 8 SET " + every + " WHERE k = 1 AND c = 99");
      statements.add("INSERT INTO %t (k, c) VALUES (1, 100) USING TIMESTAMP 9");
      add(
          all,
          "subsetsOf" + count + "Columns",
          "CREATE TABLE %t (k int, c int, " + names + ", PRIMARY KEY (k, c))",
          statements.toArray(String[]::new));
    }
    StringJoiner clusterings = new StringJoiner(", ");
    StringJoiner names = new StringJoiner(", ");
    IntStream.range(0, 40).forEach(i -> clusterings.add("c" + i + " text"));
    IntStream.range(0, 40).forEach(i -> names.add("c" + i));
    StringJoiner texts = new StringJoiner(", ");
    IntStream.range(0, 40).forEach(i -> texts.add(i % 3 == 0 ? "''" : "'t" + i + "'"));
    add(
        all,
        "moreThan32ClusteringColumns",
        "CREATE TABLE %t (k int, " + clusterings + ", v int, PRIMARY KEY (k, " + names + "))",
        "INSERT INTO %t (k, " + names + ", v) VALUES (1, " + texts + ", 5) USING TIMESTAMP 3",
        "DELETE FROM %t USING TIMESTAMP 4 WHERE k = 1 AND c0 = 'z' AND c1 > 'm'");
    add(
        all,
        "columnDroppedFromTheSchemaStaysInTheFile",
        "CREATE TABLE %t (k int, c int, s text static, v text, w int, PRIMARY KEY (k, c))",
        "INSERT INTO %t (k, c, s, v, w) VALUES (1, 1, 'static', 'v', 2) USING TIMESTAMP 3",
        "FLUSH",
        "ALTER TABLE %t DROP s",
        "ALTER TABLE %t DROP w",
        "INSERT INTO %t (k, c, v) VALUES (1, 2, 'v') USING TIMESTAMP 3");
  }

  private static void indexBlocks(List<Scenario> all) {
    // A column index of 4 KiB: the edge of a block is at every byte of a row in turn.
    for (int shift = 0; shift < 160; shift += 13) {
      List<String> statements = new ArrayList<>();
      statements.add(insert(0, 300 + shift));
      for (int row = 1; row < 100; row++) {
        statements.add(insert(row, 150));
      }
      add(all, "blockEdgeShiftedBy" + shift, "CREATE TABLE %t " + SMALL, statements);
    }
    List<String> huge = new ArrayList<>();
    huge.add(insert(0, 10));
    huge.add(insert(1, 200_000));
    huge.add(insert(2, 10));
    huge.add(insert(3, 9000));
    huge.add(insert(4, 9000));
    add(all, "blockOfOneHugeRow", "CREATE TABLE %t " + SMALL, huge);
    for (int rows : new int[] {1, 2, 30}) {
      List<String> few = new ArrayList<>();
      for (int row = 0; row < rows; row++) {
        few.add(insert(row, 4096 / rows));
      }
      add(all, "blockJustFullOf" + rows + "Rows", "CREATE TABLE %t " + SMALL, few);
    }
    List<String> open = new ArrayList<>();
    for (int row = 0; row < 400; row++) {
      open.add(insert(row, 100));
    }
    open.add("DELETE FROM %t USING TIMESTAMP 3 WHERE k = 'a' AND c > 20 AND c < 390");
    open.add("DELETE FROM %t USING TIMESTAMP 4 WHERE k = 'a' AND c >= 100 AND c <= 200");
    for (int row = 205; row < 300; row += 3) {
      open.add(
          "DELETE FROM %t USING TIMESTAMP 4 WHERE k = 'a' AND c >= "
              + row
              + " AND c < "
              + (row + 2));
    }
    add(all, "rangeTombstonesAcrossBlocks", "CREATE TABLE %t " + SMALL, open);
    List<String> wideStatic = new ArrayList<>();
    wideStatic.add(
        "INSERT INTO %t (k, s) VALUES ('a', '" + "s".repeat(6000) + "') USING TIMESTAMP 1");
    for (int row = 0; row < 200; row++) {
      wideStatic.add(insert(row, 100));
    }
    wideStatic.add("DELETE FROM %t USING TIMESTAMP 2 WHERE k = 'a'");
    wideStatic.add(insert(7, 100).replace("TIMESTAMP 5", "TIMESTAMP 9"));
    add(
        all,
        "indexedPartitionWithStaticRowAndDeletion",
        "CREATE TABLE %t (k text, c int, s text static, v text, PRIMARY KEY (k, c))"
            + " WITH CLUSTERING ORDER BY (c DESC)",
        wideStatic);
    List<String> longNames = new ArrayList<>();
    for (int row = 0; row < 300; row++) {
      longNames.add(
          "INSERT INTO %t (k, c, d, v) VALUES ('a', '"
              + "n".repeat(row * 7 % 500)
              + "', "
              + row
              + ", 'value') USING TIMESTAMP 5");
    }
    add(
        all,
        "blocksOfLongClusterings",
        "CREATE TABLE %t (k text, c text, d int, v text, PRIMARY KEY (k, c, d))",
        longNames);
  }

  private static void chunks(List<Scenario> all) {
    // Everything but the value takes 29 bytes in nb and 18 in oa: one chunk less a byte, full, one
    // more.
    for (int length : new int[] {4066, 4067, 4068, 4077, 4078, 4079}) {
      add(
          all,
          "dataOfAboutOneChunk" + length,
          "CREATE TABLE %t "
              + SMALL
              + " WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}",
          List.of(insert(1, length)));
    }
    List<String> noise = new ArrayList<>();
    Random random = new Random(7);
    for (int row = 0; row < 100; row++) {
      byte[] bytes = new byte[row % 2 == 0 ? 700 : 5];
      random.nextBytes(bytes);
      noise.add(
          "INSERT INTO %t (k, c, b) VALUES ('a', "
              + row
              + ", 0x"
              + HexFormat.of().formatHex(bytes)
              + ") USING TIMESTAMP 5");
    }
    for (String compressor : new String[] {"LZ4", "Zstd", "Snappy", "Deflate", "Noop"}) {
      for (String ratio : new String[] {"", ", 'min_compress_ratio': 1.1"}) {
        add(
            all,
            "noiseIn" + compressor + (ratio.isEmpty() ? "" : "StoredPlain"),
            "CREATE TABLE %t (k text, c int, b blob, PRIMARY KEY (k, c)) WITH compression ="
                + " {'class': '"
                + compressor
                + "Compressor', 'chunk_length_in_kb': 4"
                + ratio
                + "}",
            noise);
      }
    }
    add(
        all,
        "withoutCompression",
        "CREATE TABLE %t (k text, c int, b blob, PRIMARY KEY (k, c))"
            + " WITH compression = {'enabled': 'false'}",
        noise);
  }

  private static void keys(List<Scenario> all) {
    List<String> keys = new ArrayList<>();
    for (int length : new int[] {1, 127, 128, 129, 255, 256, 20_000, 65_535}) {
      keys.add("INSERT INTO %t (k, v) VALUES ('" + "k".repeat(length) + "', 1) USING TIMESTAMP 5");
    }
    add(all, "keysOfAllLengths", "CREATE TABLE %t (k text PRIMARY KEY, v int)", keys);
    add(
        all,
        "frozenCollectionsInTheKey",
        "CREATE TABLE %t (k frozen<list<text>>, l frozen<map<int, text>>, c frozen<set<int>>,"
            + " v int, PRIMARY KEY ((k, l), c))",
        "INSERT INTO %t (k, l, c, v) VALUES (['a', ''], {1: 'x'}, {3, 1}, 1) USING TIMESTAMP 5",
        "INSERT INTO %t (k, l, c, v) VALUES ([], {}, {}, 1) USING TIMESTAMP 5");
  }

  private static void counters(List<Scenario> all) {
    List<String> statements = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      statements.add("UPDATE %t SET n = n + " + i + " WHERE k = " + i % 3 + " AND c = " + i % 7);
    }
    statements.add("DELETE n FROM %t WHERE k = 1 AND c = 1");
    statements.add("UPDATE %t SET s = s - 5 WHERE k = 1");
    add(
        all,
        "counters",
        "CREATE TABLE %t (k int, c int, n counter, s counter static, PRIMARY KEY (k, c))",
        statements);
  }

  private static String insert(int row, int length) {
    String letters = "abcdefghijklmnopqrstuvwxyz".substring(row % 20, row % 20 + 5);
    String value = letters.repeat(length / 5 + 1).substring(0, length);
    return "INSERT INTO %t (k, c, v) VALUES ('a', " + row + ", '" + value + "') USING TIMESTAMP 5";
  }

  private static void add(List<Scenario> all, String name, String create, String... statements) {
    add(all, name, create, List.of(statements));
  }

  private static void add(List<Scenario> all, String name, String create, List<String> statements) {
    String options = create.contains(" WITH ") ? " AND " : " WITH ";
    all.add(
        new Scenario(
            name,
            create
                + options
                + "compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}",
            List.copyOf(statements)));
  }
}
