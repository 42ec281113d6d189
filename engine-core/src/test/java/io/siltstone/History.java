package io.siltstone;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Batch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A history of a database, with what it shows after each step: what a crash or a failure may leave
 * of it is the content before a step or after it, and nothing else.
 *
 * <pre>
 *   disk/database      the database
 *   disk/foreign       SSTables of table a, to be imported
 *   disk/checkpoint    made by one of the steps
 * </pre>
 */
final class History {
  static final String DATABASE = "database";
  static final String CHECKPOINT = "checkpoint";
  private static final String FOREIGN = "foreign";

  /** Acknowledges what is synced; small segments, so that they are recycled meanwhile. */
  static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .memtableBytes(1 << 20)
          .chunkCacheBytes(1 << 20)
          .commitLog(
              CommitLogOptions.builder()
                  .syncMode(SyncMode.BATCH)
                  .segmentBytes(4096)
                  .bufferBytes(64 << 10)
                  .build())
          .build();

  private static final String A =
      "CREATE TABLE w.a (k text, c int, v text, PRIMARY KEY (k, c)) WITH compression ="
          + " {'class': 'LZ4Compressor', 'chunk_length_in_kb': '4'}";
  private static final String B = "CREATE TABLE w.b (k text PRIMARY KEY, v text)";

  /** A step. */
  interface Step {
    void run(Directory disk, Database database) throws IOException;
  }

  private final List<Step> steps = new ArrayList<>();
  private final List<Map<String, List<String>>> contents = new ArrayList<>();
  private int checkpointStep = -1;

  private History() {}

  /** Does all steps once, on a disk of its own, and notes what is seen. */
  static History whole() throws IOException {
    History history = new History();
    history
        .step((disk, database) -> database.createTable(A))
        .step((disk, database) -> put(database, "x", 1, "one"))
        .step((disk, database) -> put(database, "x", 2, "two"))
        .step((disk, database) -> database.createTable(B))
        .step((disk, database) -> batch(database, 1))
        .step((disk, database) -> database.table("w", "a").flush())
        .step((disk, database) -> batch(database, 2))
        .step((disk, database) -> alter(database, "ALTER TABLE w.a ADD extra int"))
        .step((disk, database) -> extra(database, "x", 1, 7))
        .step((disk, database) -> batch(database, 3))
        .step((disk, database) -> {})
        .step((disk, database) -> database.flush())
        .step((disk, database) -> put(database, "y", 5, "five"))
        .step((disk, database) -> checkpoint(disk, database));
    history.checkpointStep = history.steps.size();
    history
        .step((disk, database) -> database.table("w", "a").truncate())
        .step((disk, database) -> put(database, "y", 6, "six"))
        .step((disk, database) -> batch(database, 4))
        .step((disk, database) -> database.table("w", "a").importTables(disk.directory(FOREIGN)))
        .step((disk, database) -> alter(database, "ALTER TABLE w.a DROP extra"))
        .step((disk, database) -> put(database, "z", 1, "new"))
        .step((disk, database) -> delete(database, "imported"))
        .step((disk, database) -> database.table("w", "b").flush())
        .step((disk, database) -> database.dropTable("w", "b"))
        .step((disk, database) -> database.createTable(B))
        .step((disk, database) -> batch(database, 5))
        .step((disk, database) -> database.table("w", "b").truncate())
        .step((disk, database) -> batch(database, 6));
    Directory disk = new MemoryDirectory();
    history.prepare(disk);
    try (Database database = Database.open(disk.directory(DATABASE), OPTIONS)) {
      history.contents.add(Contents.of(database));
      for (Step step : history.steps) {
        step.run(disk, database);
        history.contents.add(Contents.of(database));
      }
    }
    return history;
  }

  private History step(Step step) {
    steps.add(step);
    return this;
  }

  private static void put(Database database, String k, int c, String v) throws IOException {
    Table a = database.table("w", "a");
    a.write(a.mutation(k).insert(c).set("v", v).build());
  }

  private static void extra(Database database, String k, int c, int extra) throws IOException {
    Table a = database.table("w", "a");
    a.write(a.mutation(k).update(c).set("extra", extra).build());
  }

  private static void delete(Database database, String k) throws IOException {
    Table a = database.table("w", "a");
    a.write(a.mutation(k).deletePartition().build());
  }

  private static void checkpoint(Directory disk, Database database) throws IOException {
    Directory target = disk.directory(CHECKPOINT);
    disk.sync();
    database.checkpoint(target);
  }

  /** A change of two partitions of one table and one of another. */
  private static void batch(Database database, int number) throws IOException {
    Table a = database.table("w", "a");
    Table b = database.table("w", "b");
    database.write(
        Batch.of(
            a.mutation("p").insert(number).set("v", "batch").build(),
            b.mutation("q" + number).insert().set("v", "batch").build(),
            a.mutation("r").insert(number).set("v", "batch").build()));
  }

  private static void alter(Database database, String cql) throws IOException {
    database.alterTable("w", "a", cql);
  }

  /** Makes what the history needs beside the database. */
  void prepare(Directory disk) throws IOException {
    try (Database other = Database.open(disk.directory("other"), OPTIONS)) {
      Table a = other.createTable(A);
      a.write(a.mutation("imported").insert(1).set("v", "foreign").build());
      a.write(a.mutation("taken").insert(1).set("v", "foreign").build());
      a.flush();
    }
    Directory keyspace = disk.directory("other").directory("data").directory("w");
    Directory table = keyspace.directory(keyspace.directories().get(0));
    Directory foreign = disk.directory(FOREIGN);
    for (String name : table.files()) {
      if (!name.equals("schema.cql")) {
        table.link(name, foreign, name);
      }
    }
    foreign.sync();
    disk.sync();
  }

  /** The steps. */
  List<Step> steps() {
    return steps;
  }

  /** What is there after that many steps. */
  Map<String, List<String>> after(int done) {
    return contents.get(done);
  }

  /** How many steps were done when the checkpoint had been made. */
  int checkpointStep() {
    return checkpointStep;
  }
}
