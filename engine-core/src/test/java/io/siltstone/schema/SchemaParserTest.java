package io.siltstone.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaParserTest {
  private static TableSchema table(String text) {
    return SchemaParser.parse(text).onlyTable();
  }

  private static List<String> names(List<Column> columns) {
    return columns.stream().map(Column::name).toList();
  }

  private static CqlType typeOf(String cql) {
    return table(
            "USE ks; CREATE TYPE u (a int, b set<text>); CREATE TYPE w (a int);"
                + " CREATE TABLE t (k int PRIMARY KEY, v "
                + cql
                + ")")
        .column("v")
        .orElseThrow()
        .type();
  }

  private static String resource(String name) {
    try (InputStream in = SchemaParserTest.class.getResourceAsStream("/schema/" + name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"keysonly_uncompressed.cql", "many.cql", "types_compacted.cql"})
  void readsTheSchemasOfTheFixtures(String name) {
    TableSchema table = table(resource(name));
    assertThat(table.keyspace()).isEqualTo("ks");
    assertThat(table(SchemaFormatter.format(table))).isEqualTo(table);
  }

  @Test
  void fixtureWithAllTypesHasItsColumns() {
    TableSchema table = table(resource("types_compacted.cql"));
    assertThat(names(table.partitionKeyColumns())).containsExactly("k1", "k2");
    assertThat(table.keyType()).isEqualTo(CqlTypes.composite(List.of(CqlTypes.INT, CqlTypes.TEXT)));
    assertThat(table.clusteringTypes())
        .containsExactly(
            CqlTypes.reversed(CqlTypes.TIMESTAMP), CqlTypes.TEXT, CqlTypes.reversed(CqlTypes.INT));
    assertThat(names(table.staticColumns())).containsExactly("s1", "s2");
    List<String> regular = names(table.regularColumns());
    assertThat(regular.subList(regular.size() - 8, regular.size()))
        .containsExactly("uu", "vc", "vi", "li", "ma", "nest", "se", "u");
    assertThat(table.userTypes()).extracting(UserType::name).containsExactly("addr");
    assertThat(table.options().compression().chunkLengthBytes()).isEqualTo(4096);
    assertThat(table.options().compactionStrategy()).isEqualTo("SizeTieredCompactionStrategy");
  }

  @Test
  void readsASnapshotOfCassandra() {
    Schema schema = SchemaParser.parse(resource("snapshot-5.0.cql"));
    TableSchema table = schema.onlyTable();
    assertThat(table.id()).contains(UUID.fromString("8a0c5d40-1f0e-11ef-8d5f-3b2b1c4e6f70"));
    assertThat(table.droppedColumns())
        .extracting(dropped -> dropped.column().name(), DroppedColumn::droppedAtMicros)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("Gone", 1700000000000000L),
            org.assertj.core.groups.Tuple.tuple("again", 1600000000000000L));
    assertThat(table.column("Gone")).isEmpty();
    assertThat(table.column("again")).isPresent();
    assertThat(table.options().extensions()).containsEntry("ext", "00ff");
    assertThat(table.options().crcCheckChance()).isEqualTo(0.5);
    assertThat(schema.warnings())
        .hasSize(2)
        .anySatisfy(w -> assertThat(w).contains("mask of column v"))
        .anySatisfy(w -> assertThat(w).contains("CREATE INDEX"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k int PRIMARY KEY, c int | k | ''",
        "k int, c int, PRIMARY KEY (k) | k | ''",
        "k int, c int, PRIMARY KEY (k, c) | k | c",
        "k int, c int, PRIMARY KEY ((k), c) | k | c",
        "k int, c int, PRIMARY KEY ((k, c)) | k,c | ''",
        "k int, c int, d int, PRIMARY KEY ((c, k), d) | c,k | d",
        "PRIMARY KEY (k, d, c), k int, c int, d int | k | d,c",
      })
  void primaryKeyInAllForms(String columns, String partition, String clustering) {
    TableSchema table = table("CREATE TABLE ks.t (" + columns + ")");
    assertThat(String.join(",", names(table.partitionKeyColumns()))).isEqualTo(partition);
    assertThat(String.join(",", names(table.clusteringColumns()))).isEqualTo(clustering);
  }

  @Test
  void whatElseCassandraReads() {
    TableSchema table =
        table(
            "-- of old\rCREATE TYPE ks.vector (x double, y double,);"
                + " CREATE TABLE ks.t (k int,, v frozen<vector>, w vector, PRIMARY KEY (k),)");
    assertThat(names(table.regularColumns())).containsExactly("v", "w");
    assertThat(SchemaParser.parse(SchemaFormatter.format(table)).onlyTable()).isEqualTo(table);
  }

  @Test
  void cellsAreOrderedSimpleBeforeComplexThenAsCassandraOrdersNames() {
    TableSchema table =
        table(
            "CREATE TABLE ks.t (k int PRIMARY KEY, a list<int>, \"ﬀ\" int, \"😀\" int, z int,"
                + " \"Z\" int, b set<int>, f frozen<set<int>>)");
    // By UTF-16 units the emoji would come before the ligature, by bytes both after the letters.
    assertThat(names(table.regularColumns())).containsExactly("ﬀ", "😀", "Z", "f", "z", "a", "b");
  }

  @Test
  void unquotedNamesAreFoldedAndQuotedOnesKept() {
    TableSchema table =
        table("CREATE TABLE Ks.\"Tab\" (Key INT PRIMARY KEY, \"Va\"\"l\" Text, \"SELECT\" int)");
    assertThat(table.keyspace()).isEqualTo("ks");
    assertThat(table.name()).isEqualTo("Tab");
    assertThat(names(table.partitionKeyColumns())).containsExactly("key");
    assertThat(names(table.regularColumns())).containsExactly("SELECT", "Va\"l");
  }

  @Test
  void commentsAreSkipped() {
    TableSchema table =
        table(
            "-- one; '\n// two\n/* three\n ; */ CREATE /**/ TABLE ks.t (k int -- key\n PRIMARY"
                + " KEY) WITH comment = '-- no /* comment' // end");
    assertThat(table.options().comment()).isEqualTo("-- no /* comment");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "varchar | text",
        "TEXT | text",
        "frozen<list<list<int>>> | frozen<list<frozen<list<int>>>>",
        "map<text, frozen<set<int>>> | map<text, frozen<set<int>>>",
        "tuple<int, list<text>> | frozen<tuple<int, frozen<list<text>>>>",
        "frozen<tuple<int>> | frozen<tuple<int>>",
        "list<tuple<int>> | list<frozen<tuple<int>>>",
        "vector<float, 3> | vector<float, 3>",
        "w | w",
        "ks.w | w",
        "frozen<u> | frozen<u>",
        "list<frozen<u>> | list<frozen<u>>",
        "'org.apache.cassandra.db.marshal.Int32Type' | int",
        "'org.apache.cassandra.db.marshal.ListType(org.apache.cassandra.db.marshal.UTF8Type)' | list<text>",
        "'org.apache.cassandra.db.marshal.EmptyType' | 'org.apache.cassandra.db.marshal.EmptyType'",
      })
  void types(String cql, String expected) {
    // Quotes in the second column are eaten by the reader of the table.
    String shown = TypeText.of(typeOf(unquoted(cql))).replace("'", "");
    assertThat(shown).isEqualTo(expected.replace("'", ""));
  }

  /** What {@code CsvSource} made of a quoted class name, as CQL. */
  private static String unquoted(String cql) {
    return cql.startsWith("org.") ? "'" + cql + "'" : cql;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "CREATE TABLE ks.t (k int) | 1:14: No PRIMARY KEY specified",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v int PRIMARY KEY) | 1:45: Multiple PRIMARY KEYs",
        "CREATE TABLE ks.t (k int, PRIMARY KEY (k, x)) | 1:43: Unknown column referenced in PRIMARY KEY: 'x'",
        "CREATE TABLE ks.t (k int, PRIMARY KEY (k, k)) | 1:43: Duplicate column 'k' in PRIMARY KEY",
        "CREATE TABLE ks.t (k int PRIMARY KEY, k int) | 1:39: Multiple definition of identifier k",
        "CREATE TABLE ks.t (k int PRIMARY KEY, s int static) | Static columns are only useful",
        "CREATE TABLE ks.t (k int, c int static, PRIMARY KEY (k, c)) | Static column 'c' cannot be part of the PRIMARY KEY",
        "CREATE TABLE ks.t (k int PRIMARY KEY, a counter, b int) | Cannot mix counter and non counter",
        "CREATE TABLE ks.t (k counter PRIMARY KEY) | counter type is not supported for PRIMARY KEY column k",
        "CREATE TABLE ks.t (k duration PRIMARY KEY) | duration type is not supported for PRIMARY KEY column k",
        "CREATE TABLE ks.t (k list<int> PRIMARY KEY) | Invalid non-frozen collection type list<int> for PRIMARY KEY column k",
        "CREATE TABLE ks.t (k int, c set<int>, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c DESC) | Invalid non-frozen collection type",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v list<set<int>>) | 1:46: Non-frozen collections are not allowed inside collections: set<int>",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v list<counter>) | Counters are not allowed inside collections",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v tuple<counter>) | Counters are not allowed inside tuples",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v set<duration>) | Durations are not allowed inside sets",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v map<duration, int>) | Durations are not allowed as map keys",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v frozen<int>) | frozen<> is only allowed on collections, tuples, and user-defined types (got int)",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v strnig) | 1:41: Unknown type ks.strnig",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v other.u) | cannot refer to a user type in keyspace other",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v vector<float, 0>) | 1:55: vector of dimension 0, allowed 1 to",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v 'no.such.Type') | 1:41: ",
        "CREATE TABLE ks.t (k int, c 'ReversedType(Int32Type)', PRIMARY KEY (k, c)) | 1:29: reversed type",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v 'SetType(ReversedType(Int32Type))') | 1:41: reversed type",
        "CREATE TABLE ks.t (,k int PRIMARY KEY) | 1:20: expected a column's name",
        "CREATE TABLE ks.t (k int PRIMARY KEY, select int) | 1:39: expected a column's name, found the reserved word select; quote it",
        "CREATE TABLE ks.t (k int PRIMARY KEY, \"\" int) | 1:39: name of 0 bytes, allowed 1 to 65535",
        "CREATE TABLE t (k int PRIMARY KEY) | No keyspace has been specified",
        "CREATE TABLE ks.t (k int PRIMARY KEY | 1:37: expected ')', found the end of the text",
        "CREATE TABLE ks.t (k int PRIMARY KEY) WITH COMPACT STORAGE | COMPACT STORAGE is not supported",
        "CREATE TABLE ks.t (k int, c int, d int, PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY (d DESC) | Missing CLUSTERING ORDER for column c",
        "CREATE TABLE ks.t (k int, c int, d int, PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY (d DESC, c ASC) | c must appear before d",
        "CREATE TABLE ks.t (k int PRIMARY KEY) WITH CLUSTERING ORDER BY (k DESC) | Only clustering key columns",
        "CREATE TABLE ks.t (k int PRIMARY KEY) WITH comment = 'a' AND comment = 'b' | Multiple definitions for property 'comment'",
        "CREATE TABLE ks.t (k int PRIMARY KEY) WITH ID = 5 | expected a UUID, found '5'",
        "CREATE TABLE ks.t (k int PRIMARY KEY, v counter) WITH default_time_to_live = 5 | Cannot set default_time_to_live on a table with counters",
        "CREATE TYPE ks.u (a counter) | A user type cannot contain counters",
        "CREATE TYPE ks.u (a int, a int) | Duplicate field name 'a' in type 'u'",
        "CREATE TYPE ks.u (a int); CREATE TYPE ks.v (b u) | A user type cannot contain non-frozen UDTs",
        "CREATE TYPE ks.u (a set<int>); CREATE TABLE ks.t (k int PRIMARY KEY, v u) | Non-frozen UDTs with nested non-frozen collections",
        "CREATE TYPE ks.u (a int); CREATE TYPE ks.u (a int) | A user type with name 'u' already exists",
        "CREATE TYPE ks.\"int\" (a int) | a user type cannot have the name int",
        "ALTER TABLE ks.t ADD a int | Table 'ks.t' doesn't exist",
        "ALTER TYPE ks.u ADD a int | ALTER TYPE cannot be read",
        "CREATE TABLE ks.t (k int PRIMARY KEY) WITH comment = 'open | 1:54: string without closing '",
        "/* open | 1:1: comment without closing */",
      })
  void refuses(String text, String message) {
    assertThatThrownBy(() -> SchemaParser.parse(text))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(message)
        .hasMessageMatching("(?s)\\d+:\\d+: .*");
  }

  @Test
  void errorNamesLineAndColumn() {
    assertThatThrownBy(() -> SchemaParser.parse("USE ks;\nCREATE TABLE t (\n  k int,\n  v )"))
        .isInstanceOfSatisfying(
            SchemaException.class,
            e -> {
              assertThat(e.line()).isEqualTo(4);
              assertThat(e.column()).isEqualTo(5);
              assertThat(e).hasMessage("4:5: expected a type, found ')'");
            });
  }

  @Test
  void unknownOptionIsAnErrorThatSaysWhatWasMeant() {
    String text = "CREATE TABLE ks.t (k int PRIMARY KEY) WITH gc_grace_second = 5";
    assertThatThrownBy(() -> SchemaParser.parse(text))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("unknown option gc_grace_second, did you mean gc_grace_seconds?")
        .hasMessageContaining("bloom_filter_fp_chance");
  }

  @Test
  void lenientReaderSkipsUnknownOptionsOfAnyForm() {
    Schema schema =
        SchemaParser.parseLeniently(
            "CREATE TABLE ks.t (k int PRIMARY KEY) WITH fast_path = {'a': [1, {'b': 2}]} AND x = 5"
                + " AND comment = 'c' AND transactional_mode='off'");
    assertThat(schema.onlyTable().options().comment()).isEqualTo("c");
    assertThat(schema.warnings()).hasSize(3);
    assertThat(schema.warnings().get(0))
        .isEqualTo("1:44: skipped fast_path = {'a': [1, {'b': 2}]}");
  }

  /** As in tables of Cassandra 4, or with somebody's own strategy. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "compaction = {'class': 'DateTieredCompactionStrategy', 'base_time_seconds': '60'}",
        "compaction = {'class': 'com.example.MyStrategy'}",
        "compression = {'class': 'com.example.MyCompressor', 'chunk_length_in_kb': '16'}",
        "caching = {'keys': 'SOME'}",
        "speculative_retry = 'sometimes'",
        "read_repair = 'LATER'"
      })
  void lenientReaderHoldsToTheDefaultWhereAValueIsNotKnown(String option) {
    String cql = "CREATE TABLE ks.t (k int PRIMARY KEY) WITH " + option + " AND comment = 'c'";
    Schema schema = SchemaParser.parseLeniently(cql);
    assertThat(schema.onlyTable().options()).isEqualTo(TableOptions.builder().comment("c").build());
    assertThat(schema.warnings())
        .singleElement()
        .satisfies(
            warning ->
                assertThat(warning)
                    .startsWith("1:44: skipped " + option + ", the default holds: "));
    assertThatThrownBy(() -> SchemaParser.parse(cql)).isInstanceOf(SchemaException.class);
  }

  @Test
  void whoWritesIsToldOfCompressionThatIsNotKnown() {
    String cql =
        "CREATE TABLE ks.t (k int PRIMARY KEY) WITH fast_path = 'x' AND caching = {'keys': 'SOME'}";
    String other = " AND compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '17'}";
    assertThat(SchemaParser.parseToWrite(cql).warnings()).hasSize(2);
    assertThatThrownBy(() -> SchemaParser.parseToWrite(cql + other))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("chunk_length_in_kb = 17, allowed ");
  }

  @Test
  void lenientReaderSkipsAMemtableThatIsAMap() {
    String cql =
        "CREATE TABLE ks.t (k int PRIMARY KEY) WITH memtable = {'class': 'x'} AND comment = 'c'";
    Schema schema = SchemaParser.parseLeniently(cql);
    assertThat(schema.onlyTable().options().comment()).isEqualTo("c");
    assertThat(schema.onlyTable().options().memtable()).isEqualTo("default");
    assertThat(schema.warnings()).containsExactly("1:44: skipped memtable = {'class': 'x'}");
    assertThatThrownBy(() -> SchemaParser.parse(cql)).hasMessageContaining("not a map");
  }

  @Test
  void allWrongOptionsAreToldTogether() {
    assertThatThrownBy(
            () ->
                SchemaParser.parse(
                    "CREATE TABLE ks.t (k int PRIMARY KEY) WITH gc_grace_seconds = -1 AND"
                        + " crc_check_chance = 2 AND bloom_filter_fp_chance = 0 AND caching ="
                        + " {'keys': 'SOME'} AND compaction = {'class': 'Magic'} AND"
                        + " max_index_interval = 5 AND compression = {'class': 'Nope'} AND cdc ="
                        + " perhaps AND read_repair = 'x' AND speculative_retry = '101p' AND"
                        + " default_time_to_live = 630720001"))
        .hasMessageContaining("gc_grace_seconds = -1, allowed 0 to 2147483647")
        .hasMessageContaining("crc_check_chance = 2.0, allowed 0.0 to 1.0")
        .hasMessageContaining("bloom_filter_fp_chance = 0.0, allowed more than 6.71E-5")
        .hasMessageContaining("keys = SOME, allowed ALL, NONE")
        .hasMessageContaining("class = Magic, allowed SizeTieredCompactionStrategy")
        .hasMessageContaining("max_index_interval = 5, allowed 128 to ")
        .hasMessageContaining("Nope")
        .hasMessageContaining("cdc = perhaps, allowed true, false")
        .hasMessageContaining("read_repair = x, allowed BLOCKING, NONE")
        .hasMessageContaining("speculative_retry = 101p, allowed ALWAYS")
        .hasMessageContaining("default_time_to_live = 630720001, allowed 0 to 630720000");
  }

  @Test
  void bloomFilterChanceDependsOnTheStrategyUnlessGiven() {
    String leveled = "compaction = {'class': 'LeveledCompactionStrategy'}";
    String create = "CREATE TABLE ks.t (k int PRIMARY KEY)";
    assertThat(table(create).options().bloomFilterFpChance()).isEqualTo(0.01);
    assertThat(table(create + " WITH " + leveled).options().bloomFilterFpChance()).isEqualTo(0.1);
    assertThat(
            table(create + " WITH bloom_filter_fp_chance = 0.02 AND " + leveled)
                .options()
                .bloomFilterFpChance())
        .isEqualTo(0.02);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "99PERCENTILE | 99p",
        "99.90p | 99.9p",
        "none | NEVER",
        "Always | ALWAYS",
        "10.7ms | 10ms",
        "max(50ms, 99p) | MAX(99p,50ms)",
      })
  void retryPoliciesAreWrittenAsCassandraDoes(String given, String written) {
    assertThat(TableOptions.builder().speculativeRetry(given).build().speculativeRetry())
        .isEqualTo(written);
  }

  @Test
  void alterAddsDropsAndSetsOptions() {
    TableSchema table =
        table(
            "USE ks; CREATE TABLE t (k int, c int, a int, b set<int>, s int static, PRIMARY KEY (k,"
                + " c)); ALTER TABLE t DROP (a, s) USING TIMESTAMP 5; ALTER TABLE ks.t ADD (x int,"
                + " y text static); ALTER TABLE t ADD a int; ALTER TABLE t ADD IF NOT EXISTS x"
                + " int; ALTER TABLE t DROP IF EXISTS nope USING TIMESTAMP 1; ALTER TABLE t WITH"
                + " comment = 'new'");
    assertThat(names(table.regularColumns())).containsExactly("a", "x", "b");
    assertThat(names(table.staticColumns())).containsExactly("y");
    assertThat(table.droppedColumn("a")).isPresent();
    assertThat(table.droppedColumn("s").orElseThrow().droppedAtMicros()).isEqualTo(5);
    assertThat(table.options().comment()).isEqualTo("new");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP k USING TIMESTAMP 1",
        "DROP nope USING TIMESTAMP 1",
        "DROP a",
        "DROP a USING TIMESTAMP x",
        "DROP u USING TIMESTAMP 1",
        "ADD a int",
        "ADD s int static",
        "ADD n counter",
        "WITH ID = 8a0c5d40-1f0e-11ef-8d5f-3b2b1c4e6f70",
        "RENAME k TO j"
      })
  void refusesToAlter(String change) {
    assertThatThrownBy(
            () ->
                SchemaParser.parse(
                    "USE ks; CREATE TYPE w (a int); CREATE TABLE t (k int PRIMARY KEY, a int, u w);"
                        + " ALTER TABLE t "
                        + change))
        .isInstanceOf(SchemaException.class)
        .hasMessageMatching("\\d+:\\d+: .*");
  }

  @Test
  void columnOfAnotherKindIsNotAddedAgain() {
    assertThatThrownBy(
            () ->
                SchemaParser.parse(
                    "USE ks; CREATE TABLE t (k int, c int, a int, PRIMARY KEY (k, c)); ALTER TABLE"
                        + " t DROP a USING TIMESTAMP 1; ALTER TABLE t ADD a int static"))
        .hasMessageContaining("Cannot re-add previously dropped column a of kind STATIC");
  }

  @Test
  void userTypesOfADroppedColumnAreMadeTuples() {
    TableSchema table =
        table(
            "USE ks; CREATE TYPE w (a int, b text); CREATE TABLE t (k int PRIMARY KEY, v map<int,"
                + " frozen<w>>); ALTER TABLE t DROP v USING TIMESTAMP 1");
    assertThat(table.droppedColumns())
        .extracting(dropped -> dropped.column().type().cqlName())
        .containsExactly("map<int, frozen<tuple<int, text>>>");
    assertThat(table.userTypes()).isEmpty();
    assertThat(table(SchemaFormatter.format(table))).isEqualTo(table);
  }

  /** Source: Cassandra {@code AbstractType.expandUserTypes}, which vectors have none of. */
  @Test
  void userTypesInAVectorOfADroppedColumnStay() {
    String dropped =
        "USE ks; CREATE TYPE w (a int); CREATE TABLE t (k int PRIMARY KEY, v int, x"
            + " vector<frozen<w>, 2>); ALTER TABLE t DROP x USING TIMESTAMP 1;";
    TableSchema table = table(dropped);
    assertThat(table.droppedColumns())
        .extracting(column -> column.column().type().cqlName())
        .containsExactly("vector<frozen<w>, 2>");
    assertThat(table(SchemaFormatter.format(table))).isEqualTo(table);
    assertThat(table(dropped + " ALTER TABLE t ADD x vector<frozen<w>, 2>").column("x"))
        .isNotNull();
  }

  @Test
  void columnOfAnotherTypeIsNotAddedAgain() {
    assertThatThrownBy(
            () ->
                SchemaParser.parse(
                    "USE ks; CREATE TABLE t (k int PRIMARY KEY, a list<int>); ALTER TABLE t DROP a"
                        + " USING TIMESTAMP 1; ALTER TABLE t ADD a int"))
        .hasMessageContaining("with type int, incompatible with previous type list<int>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "blob", "bigint", "varint", "list<int>"})
  void whatIsLeftOfADroppedColumnIsReadByNoOtherType(String type) {
    String text =
        "USE ks; CREATE TABLE t (k int PRIMARY KEY, a int); ALTER TABLE t DROP a USING TIMESTAMP"
            + " 1;\nALTER TABLE t ADD (b int, a "
            + type
            + ")";
    assertThatThrownBy(() -> SchemaParser.parse(text))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith("2:27: ")
        .hasMessageContaining("column a with type " + type + ", incompatible with");
  }

  /** As Cassandra did before version 4. */
  @Test
  void aColumnThatWasAddedAgainWithAnotherTypeIsRead() {
    TableSchema table =
        SchemaParser.parseLeniently(
                "USE ks; CREATE TABLE t (k int PRIMARY KEY, a int); ALTER TABLE t DROP a USING"
                    + " TIMESTAMP 1; ALTER TABLE t ADD a blob")
            .onlyTable();
    assertThat(table.column("a").orElseThrow().type()).isEqualTo(CqlTypes.BLOB);
  }

  @Test
  void droppedColumnRecordIsRead() {
    TableSchema table =
        table(
            "CREATE TABLE ks.t (k int PRIMARY KEY) WITH comment = '' AND DROPPED COLUMN RECORD gone"
                + " frozen<list<int>> USING TIMESTAMP 12");
    assertThat(table.droppedColumn("gone").orElseThrow().droppedAtMicros()).isEqualTo(12);
  }

  @Test
  void otherStatementsAreSkippedWithAWarning() {
    Schema schema =
        SchemaParser.parse(
            """
            CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'};
            CREATE FUNCTION ks.f (a int) RETURNS int LANGUAGE java AS $$ ; return 1; $$;
            CREATE TABLE ks.t (k int PRIMARY KEY);;
            CREATE TABLE IF NOT EXISTS ks.t (k text PRIMARY KEY);
            CREATE TABLE ks.x (k int PRIMARY KEY); DROP TABLE ks.x;
            INSERT INTO ks.t (k) VALUES (?)""");
    assertThat(schema.onlyTable().keyType()).isEqualTo(CqlTypes.INT);
    assertThat(schema.ifMissing()).isEmpty();
    assertThat(schema.warnings())
        .hasSize(2)
        .allSatisfy(warning -> assertThat(warning).matches("(?s)[26]:1: skipped .*"));
  }

  @Test
  void aWarningOfAStatementIsOneLine() {
    Schema schema =
        SchemaParser.parse(
            """
            CREATE TABLE ks.t (k int PRIMARY KEY, v int);
            CREATE MATERIALIZED VIEW ks.by_v AS
                SELECT k, v
                FROM ks.t WHERE v IS NOT NULL PRIMARY KEY (v, k);""");
    assertThat(schema.warnings())
        .containsExactly(
            "2:1: skipped CREATE MATERIALIZED VIEW ks.by_v AS SELECT k, v FROM ks.t WH...");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABL ks.u (k int PRIMARY KEY) | 2:8 | expected TABLE, TYPE, INDEX or the like"
            + " after CREATE, found 'tabl'",
        "DROP | 2:5 | after DROP, found the end of the text",
        "CRATE TABLE ks.u (k int PRIMARY KEY) | 2:1 | a statement of CQL, such as CREATE TABLE,"
            + " found 'crate'",
        "CONSISTENCY QUORUM CREATE TABLE ks.u (k int PRIMARY KEY) | 2:1 | found 'consistency'",
        "# a remark; | 2:1 | found '#'",
        "CREATE INDEX i ON ks.t (k) CREATE TABLE ks.u (k int PRIMARY KEY) | 2:28 | expected ';'"
      })
  void whatIsNoStatementIsNotSkipped(String text, String place, String reason) {
    String cql = "CREATE TABLE ks.t (k int PRIMARY KEY);\n" + text;
    assertThatThrownBy(() -> SchemaParser.parseLeniently(cql))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith(place + ": ")
        .hasMessageContaining(reason);
  }

  @Test
  void whichTablesAreToBeMadeOnlyIfTheyAreMissing() {
    Schema schema =
        SchemaParser.parse(
            """
            CREATE TABLE ks.a (k int PRIMARY KEY);
            CREATE TABLE IF NOT EXISTS ks.b (k int PRIMARY KEY);
            ALTER TABLE ks.b ADD v int;
            CREATE TABLE IF NOT EXISTS ks.c (k int PRIMARY KEY);
            DROP TABLE ks.c;
            CREATE TABLE ks.c (k int PRIMARY KEY)""");
    assertThat(schema.ifMissing()).containsExactly(schema.table("ks", "b").orElseThrow());
  }

  @Test
  void userTypesComeInTheOrderInWhichTheyCanBeMade() {
    TableSchema table =
        table(
            "USE ks; CREATE TYPE z (a int); CREATE TYPE unused (a int);"
                + " CREATE TYPE a (x frozen<list<frozen<z>>>); CREATE TABLE t (k int PRIMARY KEY,"
                + " v frozen<tuple<int, a>>)");
    assertThat(table.userTypes()).extracting(UserType::name).containsExactly("z", "a");
  }

  @Test
  void builderRefusesWhatTextCannotSay() {
    assertThatThrownBy(
            () -> TableSchema.builder("ks", "no-dash").partitionKey("k", CqlTypes.INT).build())
        .hasMessageContaining("table name \"no-dash\", allowed 1 to 222 letters");
    assertThatThrownBy(
            () ->
                TableSchema.builder("ks", "t")
                    .partitionKey("k", CqlTypes.INT)
                    .regular("v", CqlTypes.reversed(CqlTypes.INT))
                    .build())
        .hasMessageContaining("only a clustering column can be reversed");
    assertThatThrownBy(() -> TableSchema.builder("ks", "t").regular("v", CqlTypes.INT).build())
        .hasMessageContaining("No PRIMARY KEY");
    assertThatThrownBy(
            () ->
                TableSchema.builder("ks", "t")
                    .partitionKey("k", CqlTypes.INT)
                    .regular("\uD800", CqlTypes.INT)
                    .build())
        .hasMessageContaining("not Unicode");
  }

  @Test
  void altersATable() {
    TableSchema table =
        table("USE ks; CREATE TYPE u (a int); CREATE TABLE t (k int PRIMARY KEY, v u, x int)");
    TableSchema altered =
        SchemaParser.alter(
            table,
            "CREATE TYPE w (b int); ALTER TABLE ks.t ADD y w; ALTER TABLE t ADD z u;"
                + " ALTER TABLE t DROP x; ALTER TABLE t WITH gc_grace_seconds = 7",
            99);
    assertThat(names(altered.regularColumns())).containsExactlyInAnyOrder("v", "y", "z");
    assertThat(altered.droppedColumn("x").orElseThrow().droppedAtMicros()).isEqualTo(99);
    assertThat(altered.options().gcGraceSeconds()).isEqualTo(7);
    assertThat(SchemaParser.alter(table, "ALTER TABLE t DROP x USING TIMESTAMP 3", 99))
        .satisfies(
            told ->
                assertThat(told.droppedColumn("x").orElseThrow().droppedAtMicros()).isEqualTo(3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE ks.u (k int PRIMARY KEY)",
        "DROP TABLE t",
        "DROP TABLE t; CREATE TABLE ks.t (k int PRIMARY KEY)",
        "",
        "; -- nothing",
        "USE ks",
        "CREATE TYPE ks.pair (a int, b int)",
        "CREATE TABLE IF NOT EXISTS ks.t (k int PRIMARY KEY)",
        "ALTER TABLE u ADD x int",
        "ALTR TABLE t ADD x int",
        "CREATE INDEX ON ks.t (v)",
        "SELECT 1"
      })
  void altersNoOtherTable(String text) {
    TableSchema table = table("CREATE TABLE ks.t (k int PRIMARY KEY, v int)");
    assertThatThrownBy(() -> SchemaParser.alter(table, text, 1))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("1:");
  }

  @Test
  void quotedNamesOfTypesMayBeThoseOfCql() {
    TableSchema table =
        SchemaParser.parse(
                "CREATE TYPE ks.\"Date\" (d int);"
                    + " CREATE TABLE ks.t (k int PRIMARY KEY, v frozen<\"Date\">,"
                    + " x vector<float, 12288>)")
            .onlyTable();
    assertThat(table.column("v").orElseThrow().type().kind()).isEqualTo(TypeKind.USER);
    assertThat(SchemaParser.parse(SchemaFormatter.format(table)).onlyTable()).isEqualTo(table);
  }

  @Test
  void emptyIsAUserTypeWhereOneIsCalledSo() {
    String cql = "CREATE TABLE ks.t (k int PRIMARY KEY, v frozen<empty>, w empty, x list<EMPTY>)";
    TableSchema table =
        SchemaParser.parse("CREATE TYPE ks.empty (a int); " + cql.replace("list<EMPTY>", "int"))
            .onlyTable();
    assertThat(table.column("v").orElseThrow().type().kind()).isEqualTo(TypeKind.USER);
    assertThat(table.column("w").orElseThrow().type().kind()).isEqualTo(TypeKind.USER);
    assertThat(SchemaParser.parse(SchemaFormatter.format(table)).onlyTable()).isEqualTo(table);
    TableSchema without =
        SchemaParser.parse(
                "CREATE TYPE other.empty (a int); " + cql.replace("frozen<empty>", "int"))
            .onlyTable();
    assertThat(without.column("w").orElseThrow().type()).isEqualTo(CqlTypes.EMPTY);
    assertThat(without.column("x").orElseThrow().type()).isEqualTo(CqlTypes.list(CqlTypes.EMPTY));
  }

  /** Cassandra refuses options of compaction that it does not know, and keeps such extensions. */
  @Test
  void theTimeOfWindowsIsKeptAsAnExtension() {
    String create =
        "CREATE TABLE ks.t (k int, at timestamp, PRIMARY KEY (k, at)) WITH compaction = {'class':"
            + " 'TimeWindowCompactionStrategy', 'compaction_window_time': 'EVENT'}";
    TableSchema table = SchemaParser.parse(create).onlyTable();
    assertThat(table.options().compaction()).containsEntry("compaction_window_time", "EVENT");
    String cql = table.toCql();
    assertThat(cql)
        .contains("compaction = {'class': 'TimeWindowCompactionStrategy'}")
        .contains("extensions = {'siltstone.compaction_window_time': 0x4556454e54}");
    TableSchema again = SchemaParser.parse(cql).onlyTable();
    assertThat(again.options()).isEqualTo(table.options());
    assertThat(again.options().extensions()).isEmpty();
    // Other strategies treat it as any other extension.
    TableSchema other =
        SchemaParser.parse(cql.replace("TimeWindowComp", "SizeTieredComp")).onlyTable();
    assertThat(other.options().extensions()).containsKey("siltstone.compaction_window_time");
    assertThat(SchemaParser.parse(other.toCql()).onlyTable().options()).isEqualTo(other.options());
  }
}
