package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.rows.LiveRows;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scrub salvages SSTables whose damaged index was not opened with the table. */
class ScrubOfUnchangedTest {
  private static final int ROWS = 50;

  @TempDir Path temporary;

  private static int count(Table table) throws IOException {
    int count = 0;
    try (LiveRows rows = table.read(table.query().build())) {
      for (; rows.hasNext(); rows.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void damagedIndexFilterOrSummaryCostsNoRow() throws Exception {
    try (Database database =
        Database.open(temporary, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      for (String name : new String[] {"Index", "Filter", "Summary"}) {
        Table table =
            database.createTable("CREATE TABLE w.of_" + name + " (k int PRIMARY KEY, v int)");
        for (int i = 0; i < ROWS; i++) {
          table.write(table.mutation(i).insert().set("v", i).build());
        }
        table.flush();
      }
      long now = System.currentTimeMillis();
      // The record of the close counts only if it is younger than the files.
      while (System.currentTimeMillis() <= now + 20) {
        Thread.onSpinWait();
      }
    }
    for (String name : new String[] {"Index", "Filter", "Summary"}) {
      Path file;
      try (var paths = Files.walk(temporary)) {
        file =
            paths
                .filter(
                    path ->
                        path.getParent()
                            .getFileName()
                            .toString()
                            .startsWith("of_" + name.toLowerCase(Locale.ROOT) + "-"))
                .filter(path -> path.toString().endsWith("-" + name + ".db"))
                .findFirst()
                .orElseThrow();
      }
      FileTime time = Files.getLastModifiedTime(file);
      byte[] bytes = Files.readAllBytes(file);
      for (int i = 0; i < 8; i++) {
        bytes[i] ^= (byte) 0x5a;
      }
      Files.write(file, bytes);
      Files.setLastModifiedTime(file, time);
    }
    CompactionService service =
        new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build());
    try (Database database =
        Database.open(temporary, DatabaseOptions.builder().compaction(service).build())) {
      for (String name : new String[] {"index", "filter", "summary"}) {
        Table table = database.table("w", "of_" + name);
        assertThatThrownBy(() -> table.get(table.query().partition(7).build()))
            .isInstanceOf(CorruptSSTableException.class);
        CompactionReport report =
            table
                .compact(CompactionRequest.of(CompactionRequest.Operation.SCRUB))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        assertThat(report.failed()).as(name).isEmpty();
        assertThat(report.completed()).as(name).hasSize(1);
        assertThat(table.get(table.query().partition(7).build())).as(name).isPresent();
        assertThat(count(table)).as(name).isEqualTo(ROWS);
      }
    }
  }
}
