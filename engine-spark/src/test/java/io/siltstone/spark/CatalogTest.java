package io.siltstone.spark;

import static io.siltstone.spark.Catalogs.rows;
import static io.siltstone.spark.Catalogs.sql;
import static io.siltstone.spark.Tables.READINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL on the tables of a directory of keyspaces. */
final class CatalogTest {
  private static final String CREATE =
      "CREATE TABLE %s.app.t (day INT, sensor STRING, celsius DOUBLE)"
          + " TBLPROPERTIES (partitionKey = 'sensor', clusteringKey = 'day DESC')";

  @TempDir Path directory;
  private String cat = "";

  @BeforeEach
  void addCatalog() {
    cat = Catalogs.add(directory, Map.of());
  }

  private Path readings() throws IOException {
    return Tables.add(
        Catalogs.directory(directory, READINGS),
        READINGS,
        writer ->
            List.of(
                writer.mutation("roof").timestamp(42).insert(1).set("celsius", 1.5).build(),
                writer.mutation("cellar").timestamp(43).insert(2).build()));
  }

  private void create() {
    sql("CREATE NAMESPACE " + cat + ".app");
    sql(CREATE.formatted(cat));
  }

  private Path created() throws IOException {
    try (Stream<Path> tables = Files.list(directory.resolve("app"))) {
      return tables.findFirst().orElseThrow();
    }
  }

  @Test
  void keyspacesAndTablesAreThoseOfTheDirectory() throws IOException {
    Path table = readings();
    Tables.define(directory.resolve("ks").resolve("exported"), READINGS);
    Files.createDirectories(directory.resolve("ks").resolve("no_table"));
    Files.writeString(directory.resolve("ks").resolve("file"), "");
    Path dropped =
        Tables.define(table.resolveSibling("gone-00000000000000000000000000000001"), READINGS);
    Files.createFile(dropped.resolve("dropped"));
    Files.createDirectories(directory.resolve("empty"));

    assertThat(rows("SHOW NAMESPACES IN " + cat)).containsExactly("[empty]", "[ks]");
    assertThat(rows("SHOW TABLES IN " + cat + ".ks"))
        .containsExactly("[ks,exported,false]", "[ks,readings,false]");
    assertThat(rows("SHOW TABLES IN " + cat + ".empty")).isEmpty();
    assertThatThrownBy(() -> sql("SHOW TABLES IN " + cat + ".missing"))
        .hasMessageContaining("SCHEMA_NOT_FOUND");
    assertThatThrownBy(() -> sql("SELECT * FROM " + cat + ".ks.missing"))
        .hasMessageContaining("TABLE_OR_VIEW_NOT_FOUND");
    assertThat(rows("SELECT * FROM " + cat + ".ks.readings WHERE sensor = 'roof'"))
        .containsExactly("[roof,1,1.5,null]");
    assertThat(rows("SELECT day, writetime.celsius, ttl.celsius FROM " + cat + ".ks.readings"))
        .containsExactly("[1,42,null]", "[2,null,null]");
  }

  @Test
  void describeShowsColumnsAndProperties() throws IOException {
    Path table = readings();
    assertThat(rows("DESCRIBE " + cat + ".ks.readings"))
        .contains("[sensor,string,null]", "[day,int,null]", "[celsius,double,null]");
    assertThat(rows("DESCRIBE TABLE EXTENDED " + cat + ".ks.readings").toString())
        .contains("[Provider,sstable,]")
        .contains(table.toString())
        .contains("clusteringKey=day,partitionKey=sensor")
        .contains("writetime");
  }

  @Test
  void tableOfSeveralDirectoriesIsTheOneWithFiles() throws IOException {
    Path table = readings();
    Path other = table.resolveSibling("readings-00000000000000000000000000000001");
    Files.createDirectories(other.resolve("snapshots"));
    assertThat(rows("SELECT * FROM " + cat + ".ks.readings")).hasSize(2);

    Tables.define(other, READINGS);
    assertThatThrownBy(() -> sql("SELECT * FROM " + cat + ".ks.readings"))
        .hasStackTraceContaining("several directories")
        .hasStackTraceContaining(table.toString())
        .hasStackTraceContaining(other.toString());
  }

  @Test
  void tableIsCreatedFilledAndDropped() throws IOException {
    create();
    assertThat(created().getFileName().toString()).matches("t-[0-9a-f]{32}");
    assertThat(Files.readString(created().resolve("schema.cql")))
        .contains(" app.t (")
        .contains("PRIMARY KEY (sensor, day)")
        .contains("CLUSTERING ORDER BY (day DESC)");
    String table = cat + ".app.t";
    assertThat(rows("SELECT * FROM " + table)).isEmpty();

    // Values are matched by position: the columns of the primary key come first.
    sql("INSERT INTO " + table + " VALUES ('roof', 1, 1.5), ('roof', 2, NULL)");
    sql("INSERT INTO " + table + " (celsius, sensor, day) VALUES (2.5, 'cellar', 3)");
    sql("INSERT INTO " + table + " (sensor, day) VALUES ('roof', 1)");
    assertThat(rows("SELECT * FROM " + table))
        .containsExactly("[cellar,3,2.5]", "[roof,1,1.5]", "[roof,2,null]");
    sql("INSERT OVERWRITE " + table + " SELECT sensor, day + 1, celsius FROM " + table);
    assertThat(rows("SELECT * FROM " + table))
        .containsExactly("[cellar,4,2.5]", "[roof,2,1.5]", "[roof,3,null]");
    assertThatThrownBy(() -> sql("INSERT INTO " + table + " VALUES (NULL, 1, 1.5)"))
        .hasStackTraceContaining("sensor");
    assertThatThrownBy(() -> sql(CREATE.formatted(cat))).hasMessageContaining("ALREADY_EXISTS");

    sql("DROP TABLE " + table);
    assertThat(directory.resolve("app")).isEmptyDirectory();
    sql("DROP TABLE IF EXISTS " + table);
    sql("DROP NAMESPACE " + cat + ".app");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void tableIsCreatedOfRows() throws IOException {
    sql("CREATE NAMESPACE " + cat + ".app");
    sql(
        "CREATE TABLE "
            + cat
            + ".app.t USING sstable COMMENT 'of rows'"
            + " TBLPROPERTIES (partitionKey = 'k')"
            + " AS SELECT id v, concat('k', id) k FROM range(100)");
    assertThat(rows("SELECT count(*), max(v), min(k) FROM " + cat + ".app.t"))
        .containsExactly("[100,99,k0]");
    assertThat(Files.readString(created().resolve("schema.cql"))).contains("of rows");

    assertThatThrownBy(
            () ->
                sql(
                    "CREATE TABLE "
                        + cat
                        + ".app.u TBLPROPERTIES (partitionKey = 'k')"
                        + " AS SELECT id k, 100 div (id - 50) v FROM range(100)"))
        .hasStackTraceContaining("DIVIDE_BY_ZERO");
    assertThat(rows("SHOW TABLES IN " + cat + ".app")).containsExactly("[app,t,false]");
  }

  /** Spark would drop the table first, and then find that the new one cannot be made. */
  @Test
  void tableIsNotReplaced() {
    create();
    String table = cat + ".app.t";
    sql("INSERT INTO " + table + " VALUES ('roof', 1, 1.5)");
    for (String statement :
        List.of(
            "CREATE OR REPLACE TABLE %s TBLPROPERTIES (partitionKey = 'k') AS SELECT 1 k",
            "CREATE OR REPLACE TABLE %s AS SELECT 1 k",
            "REPLACE TABLE %s TBLPROPERTIES (partitionKey = 'k') AS SELECT 1 k",
            "REPLACE TABLE %s (k INT) TBLPROPERTIES (partitionKey = 'k')",
            "CREATE OR REPLACE TABLE %s (k INT) TBLPROPERTIES (partitionKey = 'k')")) {
      assertThatThrownBy(() -> sql(statement.formatted(table)))
          .as(statement)
          .hasStackTraceContaining("app.t is not replaced: drop it first");
      assertThat(rows("SELECT * FROM " + table)).as(statement).containsExactly("[roof,1,1.5]");
    }
    assertThatThrownBy(() -> sql("SELECT 1 k").write().mode(SaveMode.Overwrite).saveAsTable(table))
        .hasStackTraceContaining("app.t is not replaced");
    assertThat(rows("SELECT * FROM " + table)).containsExactly("[roof,1,1.5]");

    String other = cat + ".app.u";
    assertThatThrownBy(() -> sql("REPLACE TABLE " + other + " AS SELECT 1 k"))
        .hasStackTraceContaining("TABLE_OR_VIEW_NOT_FOUND");
    sql(
        "CREATE OR REPLACE TABLE "
            + other
            + " TBLPROPERTIES (partitionKey = 'k') AS SELECT id k FROM range(3)");
    assertThat(rows("SELECT count(*) FROM " + other)).containsExactly("[3]");
  }

  @Test
  void tableIsCreatedOfDefinition() {
    sql("CREATE NAMESPACE " + cat + ".app");
    sql(
        "CREATE TABLE "
            + cat
            + ".app.s TBLPROPERTIES (schema = 'CREATE TABLE app.s (id uuid, c timeuuid,"
            + " s set<text>, n int static, PRIMARY KEY (id, c))')");
    String id = Everything.RANDOM_UUID.toString();
    sql(
        "INSERT INTO %s.app.s VALUES ('%s', '%s', 5, array('x', 'y'))"
            .formatted(cat, id, Everything.TIME_UUID));
    assertThat(rows("SELECT * FROM " + cat + ".app.s"))
        .containsExactly("[" + id + "," + Everything.TIME_UUID + ",5,ArraySeq(x, y)]");
  }

  @Test
  void tableWithNumbersAsTextIsCreatedOfRows() {
    String name = Catalogs.add(directory, Map.of("numbersAsText", "true"));
    sql("CREATE NAMESPACE " + name + ".app");
    sql(
        "CREATE TABLE "
            + name
            + ".app.n TBLPROPERTIES (schema = 'CREATE TABLE app.n (k int PRIMARY KEY, v varint)')"
            + " AS SELECT 1 k, '123456789012345678901234567890123456789012' v");
    assertThat(rows("SELECT * FROM " + name + ".app.n"))
        .containsExactly("[1,123456789012345678901234567890123456789012]");
  }

  @Test
  void propertiesThatAreWrongAreNamed() {
    sql("CREATE NAMESPACE " + cat + ".app");
    String create = "CREATE TABLE " + cat + ".app.t (k INT, v INT) ";
    Map<String, String> wrong =
        Map.of(
            "",
            "needs property partitionKey, the columns of the partition key among [k, v]",
            "TBLPROPERTIES (partitionKey = 'x')",
            "option partitionKey names 'x'",
            "TBLPROPERTIES (primaryKey = 'k')",
            "a table has no property 'primaryKey', its properties are",
            "TBLPROPERTIES (schema = 'CREATE TABLE app.u (k int PRIMARY KEY)')",
            "property schema defines app.u",
            "TBLPROPERTIES (schema = 'CREATE TABLE app.t (k int PRIMARY KEY)')",
            "property schema has the columns {k=INT}",
            "TBLPROPERTIES (schema = 'CREATE TABLE app.t (k int PRIMARY KEY)', partitionKey = 'k')",
            "property schema has the primary key",
            "USING parquet TBLPROPERTIES (partitionKey = 'k')",
            "USING is 'parquet', allowed sstable",
            "LOCATION '/elsewhere' TBLPROPERTIES (partitionKey = 'k')",
            "a table has no property",
            "PARTITIONED BY (k) TBLPROPERTIES (partitionKey = 'k')",
            "not by PARTITIONED BY");
    wrong.forEach(
        (text, message) ->
            assertThatThrownBy(() -> sql(create + text)).as(text).hasStackTraceContaining(message));
    assertThat(directory.resolve("app")).isEmptyDirectory();
    assertThatThrownBy(() -> sql(CREATE.formatted(cat).replace(".app.", ".missing.")))
        .hasStackTraceContaining("SCHEMA_NOT_FOUND");
    assertThatThrownBy(() -> sql("CREATE NAMESPACE " + cat + ".`a/b`"))
        .hasStackTraceContaining("a keyspace cannot have the name 'a/b'");
  }

  @Test
  void optionsOfTheCatalogThatAreWrongAreNamed() {
    assertThatThrownBy(
            () -> sql("SHOW NAMESPACES IN " + Catalogs.add(directory, Map.of("schema", "CREATE"))))
        .hasStackTraceContaining(".schema, its options are [path, snapshot] and those of all");
    assertThatThrownBy(
            () -> sql("SHOW NAMESPACES IN " + Catalogs.add(directory, Map.of("batchRows", "0"))))
        .hasStackTraceContaining("option batchRows is '0'");
    assertThatThrownBy(() -> sql("SHOW NAMESPACES IN " + Catalogs.add(Path.of(""), Map.of())))
        .hasStackTraceContaining(".path is missing");
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> sql("SHOW NAMESPACES IN " + Catalogs.add(missing, Map.of())))
        .hasStackTraceContaining(missing.toString());
  }

  @Test
  void optionsOfQueryHoldForIt() throws IOException {
    readings();
    String table = cat + ".ks.readings";
    assertThat(rows("SELECT * FROM " + table + " WITH (firstToken = 9223372036854775807)"))
        .isEmpty();
    assertThatThrownBy(() -> sql("SELECT * FROM " + table + " WITH (path = '/')").collect())
        .hasStackTraceContaining("option path is of the table or the catalog");
    assertThatThrownBy(
            () ->
                sql("SELECT * FROM " + table + " WITH (content = 'uncoveredRanges', ring = '/r')")
                    .collect())
        .hasStackTraceContaining("option content is of the table or the catalog");
  }

  @Test
  void whatIsNotOfTheTableIsNotDropped() throws IOException {
    create();
    sql("INSERT INTO " + cat + ".app.t VALUES ('roof', 1, 1.5)");
    Path snapshots = Files.createDirectory(created().resolve("snapshots"));
    assertNotDropped("snapshots, a directory that is not of the table itself");
    Files.delete(snapshots);
    Path notes = Files.createFile(created().resolve("notes.txt"));
    assertNotDropped("notes.txt, which is not of the table");
    Files.delete(notes);
    Path log =
        Files.createFile(
            created().resolve("oa_txn_flush_c0ffee00-1111-11ee-8000-000000000001.log"));
    assertNotDropped(log.getFileName() + ", the log of a change that is running");
    Files.delete(log);
    Files.createDirectory(created().resolve("backups"));
    assertThat(rows("SELECT * FROM " + cat + ".app.t")).hasSize(1);
    assertThatThrownBy(() -> sql("DROP NAMESPACE " + cat + ".app CASCADE"))
        .hasStackTraceContaining("SCHEMA_NOT_EMPTY");

    sql("DROP TABLE " + cat + ".app.t");
    assertThat(directory.resolve("app")).isEmptyDirectory();
  }

  private void assertNotDropped(String message) throws IOException {
    long before = files();
    assertThatThrownBy(() -> sql("DROP TABLE " + cat + ".app.t")).hasStackTraceContaining(message);
    assertThat(files()).isEqualTo(before);
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.count();
    }
  }

  private static Database database(Path root) throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .memoryBytes(64 << 20)
            .memtableBytes(4 << 20)
            .chunkCacheBytes(0)
            .build();
    return Database.open(root, options);
  }

  @Test
  void databaseIsReadAndNotChanged() throws IOException {
    Path root = directory.resolve("database");
    try (Database database = database(root)) {
      Table table = database.createTable("CREATE TABLE app.t (k int PRIMARY KEY, v text)");
      table.write(table.mutation(1).insert().set("v", "one").build());
    }
    for (Path path : List.of(root, root.resolve("data"))) {
      String name = Catalogs.add(path, Map.of());
      assertThat(rows("SELECT * FROM " + name + ".app.t")).containsExactly("[1,one]");
      assertNotChanged(name, "is a database");
    }
  }

  @Test
  void directoryOfANodeIsReadAndNotChanged() throws IOException {
    create();
    Files.createDirectory(directory.resolve("system_schema"));
    assertNotChanged(cat, "is the data directory of a node of Cassandra");
    assertThat(rows("SELECT * FROM " + cat + ".app.t")).isEmpty();
  }

  @Test
  void secondDirectoryOfANodeIsReadAndNotChanged() throws IOException {
    create();
    Files.createDirectory(directory.resolve("system_auth"));
    assertNotChanged(cat, "is the data directory of a node of Cassandra");
  }

  @Test
  void checkpointIsReadAndNotChanged() throws IOException {
    Path checkpoint = directory.resolve("checkpoint");
    try (Database database = database(directory.resolve("database"))) {
      Table table = database.createTable("CREATE TABLE app.t (k int PRIMARY KEY, v text)");
      table.write(table.mutation(1).insert().set("v", "one").build());
      database.checkpoint(checkpoint);
    }
    for (Path path : List.of(checkpoint, checkpoint.resolve("data"))) {
      String name = Catalogs.add(path, Map.of());
      assertThat(rows("SELECT * FROM " + name + ".app.t")).containsExactly("[1,one]");
      assertNotChanged(name, "is a database");
    }
  }

  /** A node or a database may be where the link leads to. */
  @Test
  void whatALinkLeadsToIsReadAndNotChanged() throws IOException {
    Path elsewhere = directory.resolve("elsewhere");
    Path keyspaces = Files.createDirectory(directory.resolve("keyspaces"));
    Path table =
        Tables.add(
            Catalogs.directory(elsewhere, READINGS),
            READINGS,
            writer -> List.of(writer.mutation("roof").insert(1).build()));
    Files.createSymbolicLink(keyspaces.resolve("ks"), table.getParent());
    Path own = Files.createDirectory(keyspaces.resolve("own"));
    Files.createSymbolicLink(own.resolve(table.getFileName()), table);
    // The directory of keyspaces itself may be a link.
    Path link = Files.createSymbolicLink(directory.resolve("link"), keyspaces);
    String name = Catalogs.add(link, Map.of());
    long before = files();
    for (String keyspace : List.of("ks", "own")) {
      String of = name + "." + keyspace + ".readings";
      for (String statement :
          List.of(
              "DROP TABLE %s",
              "INSERT INTO %s VALUES ('roof', 2, 1.5, '')",
              "INSERT OVERWRITE %s VALUES ('roof', 2, 1.5, '')")) {
        assertThatThrownBy(() -> sql(statement.formatted(of)))
            .as(statement)
            .hasStackTraceContaining("is reached through a symbolic link")
            .hasStackTraceContaining(table.toString());
      }
      assertThat(rows("SELECT sensor, day FROM " + of)).containsExactly("[roof,1]");
    }
    assertThat(files()).isEqualTo(before);

    sql("CREATE NAMESPACE " + name + ".app");
    sql(CREATE.formatted(name));
    sql("INSERT INTO " + name + ".app.t VALUES ('roof', 1, 1.5)");
    sql("DROP TABLE " + name + ".app.t");
  }

  private static void assertNotChanged(String name, String message) {
    for (String statement :
        List.of(
            "INSERT INTO %s.app.t SELECT * FROM %s.app.t",
            "CREATE TABLE %s.app.u (k INT) TBLPROPERTIES (partitionKey = 'k')",
            "CREATE NAMESPACE %s.other",
            "DROP NAMESPACE %s.app CASCADE",
            "DROP TABLE %s.app.t")) {
      assertThatThrownBy(() -> sql(statement.formatted(name, name)))
          .as(statement)
          .hasStackTraceContaining(message);
    }
  }

  @Test
  void snapshotsOfAllTablesAreShown() throws IOException {
    Path table = readings();
    Tables.add(
        table.resolve("snapshots").resolve("monday"),
        READINGS,
        writer -> List.of(writer.mutation("monday").insert(1).build()));
    String monday = Catalogs.add(directory, Map.of("snapshot", "monday"));
    String tuesday = Catalogs.add(directory, Map.of("snapshot", "tuesday"));

    assertThat(rows("SELECT sensor FROM " + monday + ".ks.readings")).containsExactly("[monday]");
    assertThat(rows("SHOW TABLES IN " + tuesday + ".ks")).isEmpty();
    assertThatThrownBy(() -> sql("DROP TABLE " + monday + ".ks.readings"))
        .hasStackTraceContaining("the catalog shows the snapshot monday");
  }

  @Test
  void directoryOfAnotherFileSystemIsRead() throws IOException {
    readings();
    String name = Catalogs.add("other://" + directory, Map.of());
    assertThat(rows("SHOW TABLES IN " + name + ".ks")).containsExactly("[ks,readings,false]");
    assertThat(rows("SELECT sensor FROM " + name + ".ks.readings"))
        .containsExactly("[cellar]", "[roof]");
    assertThatThrownBy(() -> sql("DROP TABLE " + name + ".ks.readings"))
        .hasStackTraceContaining("is not in the file system of the machine");
  }

  @Test
  void whatSparkCannotChangeIsRefused() throws IOException {
    readings();
    assertThatThrownBy(() -> sql("ALTER TABLE " + cat + ".ks.readings ADD COLUMN x INT"))
        .hasStackTraceContaining("change its schema.cql");
    assertThatThrownBy(() -> sql("ALTER TABLE " + cat + ".ks.readings RENAME TO ks.other"))
        .hasStackTraceContaining("is not renamed");
  }
}
