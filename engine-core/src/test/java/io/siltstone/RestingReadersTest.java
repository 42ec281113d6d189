package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What readers keep while they rest is given back before anybody is refused memory. */
class RestingReadersTest {
  private static final int TABLES = 24;
  private static final int CHUNK_KIB = 1024;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @Test
  void moreReadersCanRestThanTheBudgetHasRoomFor() throws IOException {
    MemoryDirectory directory = new MemoryDirectory();
    DatabaseOptions ample = options(256L << 20);
    try (Database db = Database.open(directory, ample)) {
      for (int i = 0; i < TABLES; i++) {
        Table table =
            db.createTable(
                "CREATE TABLE ks.t"
                    + i
                    + " (k int PRIMARY KEY, v text) WITH compression ="
                    + " {'class': 'LZ4Compressor', 'chunk_length_in_kb': "
                    + CHUNK_KIB
                    + "}");
        write(table, 1, "v" + i);
        table.flush();
      }
    }

    DatabaseOptions tight = options(12L << 20);
    assertThat(tight.memoryBytes()).isLessThan((TABLES * (long) CHUNK_KIB) << 10);
    try (Database db = Database.open(directory, tight)) {
      List<Table> tables = new ArrayList<>();
      for (int i = 0; i < TABLES; i++) {
        tables.add(db.table("ks", "t" + i));
      }
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < TABLES; i++) {
          assertThat(
                  tables
                      .get(i)
                      .get(tables.get(i).query().partition(1).build())
                      .orElseThrow()
                      .get("v"))
              .isEqualTo("v" + i);
        }
      }
      for (Table table : tables) {
        write(table, 2, "written while readers rest");
      }
      db.flush();
    }
  }

  private static DatabaseOptions options(long memoryBytes) {
    return DatabaseOptions.builder()
        .memoryBytes(memoryBytes)
        .memtableBytes(1 << 20)
        .chunkCacheBytes(0)
        .flushThreads(1)
        .compaction(Compaction.none())
        .commitLog(CommitLogOptions.builder().bufferBytes(64 << 10).segmentBytes(1 << 20).build())
        .build();
  }

  private static void write(Table table, int k, String v) throws IOException {
    table.write(table.mutation(k).insert().set("v", v).build());
  }
}
