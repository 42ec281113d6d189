package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A read that cannot begin holds nothing. */
class FailedReadsTest {
  private final AtomicReference<@Nullable Error> failure = new AtomicReference<>();

  /** Asked for the time once a read has what it reads from. */
  private final InstantSource clock =
      () -> {
        Error present = failure.get();
        if (present != null) {
          throw present;
        }
        return Instant.ofEpochSecond(1_700_000_000);
      };

  @Test
  void giveBackTheirMemtables() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().compaction(Compaction.none()).clock(clock).build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v int)");
      table.write(table.mutation(1).insert().set("v", 1).build());
      Query all = table.query().build();
      Error full = new OutOfMemoryError("no memory for the time");
      failure.set(full);
      assertThatThrownBy(() -> table.read(all)).isSameAs(full);
      assertThatThrownBy(() -> table.get(all)).isSameAs(full);
      failure.set(null);
      try (LiveRows rows = table.read(all)) {
        assertThat(rows.next().get("v")).isEqualTo(1);
      }
      // Memory that is still held fails the closing.
    }
  }
}
