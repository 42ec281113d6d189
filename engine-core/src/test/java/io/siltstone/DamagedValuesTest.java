package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.rows.Row;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are none of their column's type, as damage or another program may leave them. */
class DamagedValuesTest {
  @ParameterizedTest
  @ValueSource(strings = {"text", "ascii", "frozen<list<text>>", "frozen<map<text, int>>"})
  void aRowIsShownWithTheBytesOfWhatIsNoValue(String type) throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v " + type + ")");
      byte[] key = {0, 0, 0, 1};
      byte[] damaged = {(byte) 0xc3, (byte) 0x28, (byte) 0xff};
      table.write(
          table
              .store()
              .mutations()
              .encode(
                  update -> {
                    update.begin(key, 0, key.length);
                    update.times(5, DeletionTime.NO_TTL, 0);
                    update.beginRow();
                    update.liveness();
                    update.value(0, damaged, 0, damaged.length);
                    update.endRow();
                  }));
      Row row = table.get(table.query().partition(1).build()).orElseThrow();
      assertThat(row.toString()).isEqualTo("{k=1, v=0xc328ff (damaged)}");
    }
  }

  @Test
  void aRowWithoutDamageIsShownAsCql() throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      table.write(table.mutation(1).insert().set("v", "one").build());
      assertThat(table.get(table.query().partition(1).build()).orElseThrow())
          .hasToString("{k=1, v='one'}");
    }
  }
}
