package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compaction.report.JobReport;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A long task does not keep the files of SSTables that were compacted meanwhile. */
class ReleasedOverlapsTest {
  /** More than two steps of a task. */
  private static final int ROWS = 20_000;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryDirectory disk = new MemoryDirectory();
  private TaskTables tables;
  private Set<Descriptor> others;
  private Descriptor wide;

  @BeforeEach
  void fill() throws IOException {
    tables = TaskTables.open(disk, leaks.memory());
    others =
        Set.of(
            tables.flush(writes -> writes.at(5, 1, b -> b.insert(1))),
            tables.flush(writes -> writes.at(6, 1, b -> b.insert(1))));
    wide =
        tables.flush(
            writes -> {
              writes.at(10, 1, b -> b.deleteRow(0));
              for (int c = 1; c < ROWS; c++) {
                int row = c;
                writes.at(10, 1, b -> b.insert(row).set("v", "some value"));
              }
            });
  }

  @AfterEach
  void close() {
    tables.close();
  }

  private void compactOthers() {
    try {
      tables.compact(others, tables.options(200).build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(tables.live()).doesNotContainAnyElementsOf(others).contains(wide);
  }

  private boolean areFilesOfOthersGone() {
    return others.stream()
        .noneMatch(other -> disk.files().stream().anyMatch(file -> file.startsWith(other + "-")));
  }

  @Test
  void whatATombstoneWasAskedOfIsLetGoWhenItIsNotLiveAnyMore() throws IOException {
    boolean[] areGone = new boolean[2];
    StageProbes stageProbes =
        atRows(
            () -> {
              compactOthers();
              areGone[0] = areFilesOfOthersGone();
            },
            () -> areGone[1] = areFilesOfOthersGone());
    JobReport report =
        tables.compact(Set.of(wide), tables.options(200).build(), new TaskProgress(), stageProbes);
    assertThat(report.purge().keptForOverlap()).isEqualTo(1);
    assertThat(areGone).containsExactly(false, true);
  }

  @Test
  void whatHasExpiredKeepsNothing() throws IOException {
    Descriptor expired =
        tables.flush(writes -> writes.at(50, 1, b -> b.ttl(10).insert(1).set("v", "x")));
    boolean[] areGone = new boolean[1];
    StageProbes stageProbes =
        new StageProbes() {
          @Override
          public PartitionCursor merged(PartitionCursor cursor) {
            compactOthers();
            areGone[0] = areFilesOfOthersGone();
            return cursor;
          }
        };
    tables.compact(
        Set.of(expired, wide), tables.options(200).build(), new TaskProgress(), stageProbes);
    assertThat(areGone).containsExactly(true);
  }

  @Test
  void aTaskThatIsPausedKeepsNothing() throws Exception {
    TaskProgress progress = new TaskProgress();
    StageProbes stageProbes = atRows(progress::pause, () -> {});
    Thread thread =
        new Thread(
            () -> {
              try {
                tables.compact(Set.of(wide), tables.options(200).build(), progress, stageProbes);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    compactOthers();
    assertThat(areFilesOfOthersGone()).isTrue();
    progress.resume();
    thread.join();
    assertThat(tables.live()).hasSize(2).doesNotContain(wide);
  }

  /** Runs an action after the second row, and another after the last. */
  private static StageProbes atRows(Runnable second, Runnable last) {
    return new StageProbes() {
      @Override
      public PartitionCursor purged(PartitionCursor cursor) {
        return new Watched(cursor, second, last);
      }
    };
  }

  private static final class Watched extends ForwardingCursor {
    private final Runnable second;
    private final Runnable last;
    private int rows;

    Watched(PartitionCursor source, Runnable second, Runnable last) {
      super(source);
      this.second = second;
      this.last = last;
    }

    @Override
    public boolean nextUnfiltered() throws IOException {
      boolean isThere = source.nextUnfiltered();
      if (isThere) {
        rows++;
      }
      if (isThere && rows == 2) {
        second.run();
      } else if (!isThere) {
        last.run();
      }
      return isThere;
    }
  }
}
