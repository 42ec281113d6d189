package io.siltstone.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.event.EngineListener.CompactionCompleted;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.maintenance.PastCompaction;
import io.siltstone.schema.TableId;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CompactionHistoryTest {
  private static final String FILE = "compaction_history.jsonl";
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-21T10:15:30.123Z"));

  private final MemoryDirectory disk = new MemoryDirectory();

  private static CompactionCompleted compaction(long rows) {
    return new CompactionCompleted(
        new TableId("w", "readings", new UUID(0, 1)),
        new UUID(7, rows),
        "SizeTieredCompactionStrategy",
        List.of(Descriptor.parse("oa-1-big-Data.db"), Descriptor.parse("oa-2-big-Data.db")),
        List.of(Descriptor.parse("oa-3-big-Data.db")),
        new CompactionCompleted.Totals(2000, 1500, 10, rows, List.of(8L, 2L)),
        Duration.ofMillis(42));
  }

  private void append(String text) throws IOException {
    try (WritableFile file = disk.append(FILE)) {
      file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static List<Long> rows(List<PastCompaction> compactions) {
    return compactions.stream().map(compaction -> compaction.outputs().rows()).toList();
  }

  @Test
  void isThereAfterReopening() throws IOException {
    try (CompactionHistory history = CompactionHistory.of(disk, CLOCK)) {
      history.compactionCompleted(compaction(1));
      history.compactionCompleted(compaction(2));
    }
    try (CompactionHistory history = CompactionHistory.of(disk, CLOCK)) {
      history.compactionCompleted(compaction(3));
      assertThat(rows(history.compactions())).containsExactly(1L, 2L, 3L);
      assertThat(history.compactions().get(0))
          .isEqualTo(
              new PastCompaction(
                  new UUID(7, 1),
                  "w",
                  "readings",
                  "SizeTieredCompactionStrategy",
                  CLOCK.instant(),
                  Duration.ofMillis(42),
                  new PastCompaction.Inputs(2, 2000),
                  new PastCompaction.Outputs(1, 1500, 10, 1),
                  List.of(8L, 2L)));
    }
  }

  @Test
  void writesNothingBeforeTheFirstCompaction() throws IOException {
    try (CompactionHistory history = CompactionHistory.of(disk, CLOCK)) {
      assertThat(history.compactions()).isEmpty();
    }
    assertThat(disk.files()).isEmpty();
  }

  @Test
  void ignoresALineThatACrashHasTornAnywhere() throws IOException {
    String whole = HistoryLine.format(HistoryLine.of(compaction(2), CLOCK.instant()));
    for (int length = 1; length <= whole.length(); length++) {
      MemoryDirectory other = new MemoryDirectory();
      try (CompactionHistory history = CompactionHistory.of(other, CLOCK)) {
        history.compactionCompleted(compaction(1));
      }
      try (WritableFile file = other.append(FILE)) {
        file.write(ByteBuffer.wrap(whole.substring(0, length).getBytes(StandardCharsets.UTF_8)));
      }
      try (CompactionHistory history = CompactionHistory.of(other, CLOCK)) {
        boolean isWhole = length == whole.length();
        assertThat(rows(history.compactions())).hasSize(isWhole ? 2 : 1);
        history.compactionCompleted(compaction(3));
        assertThat(rows(history.compactions()))
            .as("after %s bytes of a line", length)
            .isEqualTo(isWhole ? List.of(1L, 2L, 3L) : List.of(1L, 3L));
      }
    }
  }

  @Test
  void readsLinesWithMoreThanItKnowsAndSkipsWhatIsNone() throws IOException {
    try (CompactionHistory history = CompactionHistory.of(disk, CLOCK)) {
      history.compactionCompleted(compaction(1));
    }
    String line = HistoryLine.format(HistoryLine.of(compaction(2), CLOCK.instant()));
    append("\0\0\0\n" + line.substring(0, line.length() - 1) + ",\"more\":{\"a\":1}}\n");
    try (CompactionHistory history = CompactionHistory.of(disk, CLOCK)) {
      assertThat(rows(history.compactions())).containsExactly(1L, 2L);
    }
  }

  @Test
  void keepsTheNewestAndIsBounded() throws IOException {
    try (CompactionHistory history = CompactionHistory.of(disk, CLOCK, 10)) {
      for (long i = 1; i <= 95; i++) {
        history.compactionCompleted(compaction(i));
        List<Long> kept = rows(history.compactions());
        assertThat(kept.size()).isBetween((int) Math.min(i, 10), 19);
        assertThat(kept.get(kept.size() - 1)).isEqualTo(i);
        assertThat(kept.get(0)).isEqualTo(i - kept.size() + 1);
      }
    }
  }

  @Test
  void aFailedWriteIsNoFailureOfTheCompactionAndTheNextOneIsWrittenAgain() throws IOException {
    for (long seed = 1; seed <= 20; seed++) {
      // Some of its bytes may be written.
      Fault fault = Fault.on(Operation.WRITE).call(2).fails("Input/output error");
      FaultyDirectory faulty = new FaultyDirectory(new MemoryDirectory(), seed, fault);
      try (CompactionHistory history = CompactionHistory.of(faulty, CLOCK)) {
        history.compactionCompleted(compaction(1));
        history.compactionCompleted(compaction(2));
        assertThat(faulty.fired()).as("seed %s", seed).isEqualTo(1);
        history.compactionCompleted(compaction(3));
        assertThat(rows(history.compactions()))
            .as("seed %s", seed)
            .isIn(List.of(1L, 3L), List.of(1L, 2L, 3L));
      }
    }
  }
}
