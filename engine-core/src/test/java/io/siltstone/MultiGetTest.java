package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many keys that are read at once, beside single reads. */
class MultiGetTest {
  private static final int PARTITIONS = 500;
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).chunkCacheBytes(0).build();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Random random = new Random(8);

  @Test
  void tableReturnsTheFirstRowsThatSingleReadsReturn() throws IOException {
    try (Database database = Database.open(leaks.watch(new MemoryDirectory()), OPTIONS)) {
      Table table =
          database.createTable("CREATE TABLE k.t (a text, c int, v text, PRIMARY KEY (a, c))");
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < PARTITIONS; i++) {
          table.write(
              random.nextInt(5) == 0
                  ? table.mutation("key " + random.nextInt(PARTITIONS)).deleteRow(1).build()
                  : table
                      .mutation("key " + random.nextInt(PARTITIONS))
                      .insert(random.nextInt(3))
                      .set("v", "value " + random.nextInt())
                      .build());
        }
        if (round < 3) {
          table.flush();
        }
      }
      for (int round = 0; round < 20; round++) {
        List<Query> queries = new ArrayList<>();
        for (int i = random.nextInt(100); i > 0; i--) {
          Query.Builder query = table.query().partition("key " + random.nextInt(2 * PARTITIONS));
          queries.add(random.nextBoolean() ? query.build() : query.reversed().build());
        }
        List<Optional<Row>> rows = table.multiGet(queries);
        assertThat(rows).hasSameSizeAs(queries);
        for (int i = 0; i < queries.size(); i++) {
          assertThat(rows.get(i).map(MultiGetTest::text))
              .isEqualTo(table.get(queries.get(i)).map(MultiGetTest::text));
        }
      }
    }
  }

  private static String text(Row row) {
    return row.getString("a") + " " + row.getInt("c") + " " + row.getString("v");
  }

  @Test
  void tableRefusesQueriesOfMoreThanOnePartition() throws IOException {
    try (Database database = Database.open(leaks.watch(new MemoryDirectory()), OPTIONS)) {
      Table table = database.createTable("CREATE TABLE k.t (a text PRIMARY KEY, v text)");
      assertThat(table.multiGet(List.of())).isEmpty();
      List<Query> all = List.of(table.query().partition("x").build(), table.query().build());
      assertThatThrownBy(() -> table.multiGet(all))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("of more than one partition, allowed is one");
    }
  }

  /** Without a chunk cache, so that each chunk that is fetched is a read of the file. */
  @Test
  void eachChunkIsReadOnce() throws IOException {
    CountingDirectory disk = new CountingDirectory(leaks.watch(new MemoryDirectory()));
    try (KeyValueStore store = KeyValueStore.open(disk, OPTIONS)) {
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        byte[] key = new byte[4 + random.nextInt(8)];
        random.nextBytes(key);
        keys.add(key);
        byte[] value = new byte[200];
        random.nextBytes(value);
        store.put(key, value);
      }
      store.table().flush();
      long chunks = store.table().statistics().sstables().dataBytes() / (16 << 10) + 1;
      Collections.shuffle(keys, random);
      disk.reset();
      assertThat(store.multiGet(keys)).doesNotContainNull().hasSize(keys.size());
      assertThat(disk.count(Operation.READ, "*Data.db")).isEqualTo(chunks);
    }
  }

  @Test
  void keysThatNoEntryCanHaveAreRefused() throws IOException {
    try (KeyValueStore store = KeyValueStore.open(leaks.watch(new MemoryDirectory()), OPTIONS)) {
      assertThat(store.multiGet(List.of())).isEmpty();
      assertThatThrownBy(() -> store.multiGet(List.of(new byte[] {1}, new byte[0])))
          .isInstanceOf(IllegalArgumentException.class);
      List<byte[]> withNull = Collections.singletonList(null);
      assertThatThrownBy(() -> store.multiGet(withNull)).isInstanceOf(NullPointerException.class);
    }
  }
}
