package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk that is full, still full when the database is opened again, and then has room: as often as
 * that happens, nothing that was acknowledged is lost.
 */
class FullDiskTest {
  private static final String VALUE = "x".repeat(200);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private final List<String> acknowledged = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {5_000, 6_500, 8_000, 13_000, 21_000})
  void whatWasAcknowledgedIsThereWhenThereIsRoomAgain(long bytes) throws IOException {
    Fault full = Fault.on(Operation.WRITE).noSpaceAfter(bytes);
    Directory disk = leaks.watch(new FaultyDirectory(new MemoryDirectory(), 1, full));
    for (int time = 0; time < 3; time++) {
      try (Database database = Database.open(disk, History.OPTIONS)) {
        Table table =
            database.createTable("CREATE TABLE IF NOT EXISTS w.t (k int PRIMARY KEY, v text)");
        assertThat(Contents.of(table)).containsAll(acknowledged);
        writeUntilFull(database, table);
        assertThat(database.statistics().readOnlyReason()).contains(Fault.NO_SPACE);
        assertThat(Contents.of(table)).containsAll(acknowledged);
        assertThatThrownBy(database::close)
            .isInstanceOf(ReadOnlyException.class)
            .hasMessageContaining(Fault.NO_SPACE);
      }
      // Even the segment that the log goes on in does not find room.
      assertThatThrownBy(() -> Database.open(disk, History.OPTIONS))
          .hasStackTraceContaining(Fault.NO_SPACE);
      leaks.requireNothingOpen();
      full.giveSpace(bytes + 40L * VALUE.length() * acknowledged.size());
    }
    assertThat(acknowledged).hasSizeGreaterThan(10);
    try (Database database = Database.open(disk, History.OPTIONS)) {
      assertThat(Contents.of(database.table("w", "t"))).containsAll(acknowledged);
    }
  }

  private void writeUntilFull(Database database, Table table) throws IOException {
    while (database.statistics().readOnlyReason() == null) {
      int k = acknowledged.size();
      try {
        table.write(table.mutation(k).insert().set("v", VALUE).build());
        acknowledged.add(k + " " + VALUE);
        if (k % 8 == 7) {
          table.flush();
        }
      } catch (IOException e) {
        assertThat(e).hasStackTraceContaining(Fault.NO_SPACE);
      }
    }
  }
}
