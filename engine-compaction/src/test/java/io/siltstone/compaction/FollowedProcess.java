package io.siltstone.compaction;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.maintenance.CompactionRequest;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;

/**
 * The writing process of {@link FollowedProcessTest}, which a reader follows: in each round it
 * writes the number of the round to all keys, in their order, and says it. In between it flushes,
 * compacts, alters the table, and creates and drops another one.
 */
final class FollowedProcess {
  static final int KEYS = 40;

  private FollowedProcess() {}

  static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .memtableBytes(1 << 20)
        .chunkCacheBytes(1 << 20)
        .commitLog(
            CommitLogOptions.builder()
                .segmentBytes(16 << 10)
                .totalSpaceBytes(64 << 10)
                .bufferBytes(64 << 10)
                .build())
        .build();
  }

  /** {@code directory rounds seed}. */
  public static void main(String[] args) throws Exception {
    Random random = new Random(Long.parseLong(args[2]));
    try (Database database = Database.open(Path.of(args[0]), options())) {
      Table table =
          database.createTable(
              "CREATE TABLE w.t (k int, c int, v int, pad text, PRIMARY KEY (k, c))"
                  + " WITH gc_grace_seconds = 0 AND compaction ="
                  + " {'class': 'SizeTieredCompactionStrategy', 'min_threshold': 2}");
      int rounds = Integer.parseInt(args[1]);
      for (int round = 1; round <= rounds; round++) {
        for (int k = 0; k < KEYS; k++) {
          table.write(
              table.mutation(k).insert(0).set("v", round).set("pad", "x".repeat(100)).build());
          // The deletions give the compaction something to purge.
          table.write(table.mutation(k).deleteRow(1 + round % 5).build());
        }
        say(String.valueOf(round));
        switch (random.nextInt(6)) {
          case 0, 1 -> table.flush();
          case 2 -> {
            table.flush();
            table
                .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
                .toCompletableFuture()
                .join()
                .orThrow();
          }
          case 3 -> alter(database, table);
          case 4 -> other(database);
          default -> {}
        }
      }
    }
  }

  private static void alter(Database database, Table table) throws Exception {
    boolean hasExtra = table.schema().column("extra").isPresent();
    database.alterTable("w", "t", "ALTER TABLE w.t " + (hasExtra ? "DROP extra" : "ADD extra int"));
  }

  private static void other(Database database) throws Exception {
    if (database.findTable("w", "other").isPresent()) {
      database.dropTable("w", "other");
      return;
    }
    Table other = database.createTable("CREATE TABLE w.other (k int PRIMARY KEY, v int)");
    other.write(other.mutation(1).insert().set("v", 1).build());
    other.flush();
  }

  private static void say(String line) throws Exception {
    OutputStream out = System.out;
    out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }
}
