package io.siltstone.liveset;

import static io.siltstone.liveset.SmallTables.content;
import static io.siltstone.liveset.SmallTables.flush;
import static io.siltstone.liveset.SmallTables.open;
import static io.siltstone.liveset.SmallTables.openReadOnly;
import static io.siltstone.liveset.SmallTables.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.PowerCuts;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An import that replaces a table whose ranges of keys were deleted: the deletions go with it. */
class ReplacingImportTest {
  private static final long SEED = Long.getLong("siltstone.seed", 29);
  private static final KeyRangeDeletions DELETED =
      KeyRangeDeletions.of(new KeyRangeDeletions.Fragment(new byte[0], null, 1 << 20, 1));
  private static final List<SortedSet<Integer>> BEFORE = List.of(set(1, 2), set(3));

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  private static SortedSet<Integer> set(Integer... keys) {
    return new TreeSet<>(List.of(keys));
  }

  private static void flushDeleting(LiveSet set) throws IOException {
    try (Claim flush = set.beginFlush(CommitLogIntervals.NONE, DELETED)) {
      write(flush, List.of(1, 2));
      flush.commit();
    }
  }

  private Directory foreign(Directory disk) throws IOException {
    Directory foreign = disk.directory("foreign");
    try (LiveSet other = open(foreign, memory)) {
      flush(other, 8);
    }
    return foreign;
  }

  @Test
  void deletionsOfWhatIsReplacedDoNotDeleteWhatTakesItsPlace() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Directory foreign = foreign(disk);
    try (LiveSet set = open(disk, memory)) {
      flushDeleting(set);
      flush(set, 3);
      set.importTables(foreign, VerificationLevel.NONE, false);
      assertThat(set.keyRanges().present()).isEqualTo(DELETED);
    }
    try (LiveSet set = open(disk, memory)) {
      set.importTables(foreign(disk.directory("other")), VerificationLevel.NONE, true);
      assertThat(content(set)).containsExactly(set(8));
      assertThat(set.keyRanges().present()).isNull();
      assertThat(disk.files()).doesNotContain(KeyRangeDeletionStore.FILE);
      flushDeleting(set);
      assertThat(set.keyRanges().present()).isEqualTo(DELETED);
    }
  }

  @Test
  void anImportOfNothingLeavesNothing() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Directory empty = disk.directory("empty");
    try (LiveSet set = open(disk, memory)) {
      flushDeleting(set);
      assertThat(set.importTables(empty, VerificationLevel.NONE, true)).isEmpty();
      assertThat(content(set)).isEmpty();
      assertThat(set.keyRanges().present()).isNull();
    }
    assertThat(disk.files()).isEmpty();
  }

  @Test
  void deletionsStayIfTheImportFails() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Directory foreign = foreign(disk);
    try (LiveSet set = open(disk, memory)) {
      flushDeleting(set);
    }
    Fault append = Fault.on(Operation.APPEND).files("*.log").call(1).fails("bad sector");
    try (LiveSet set = open(new FaultyDirectory(disk, SEED, append), memory)) {
      assertThatThrownBy(() -> set.importTables(foreign, VerificationLevel.NONE, true))
          .hasMessageContaining("bad sector");
      assertThat(set.keyRanges().present()).isNotNull();
      // The SSTable with which they count is merged.
      SmallTables.merge(set, Set.of(set.live().tables().get(0).descriptor()), 5);
    }
    try (LiveSet set = open(disk, memory)) {
      assertThat(set.keyRanges().present()).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void afterAPowerLossTheDeletionsAreThereWithWhatTheyDelete(FileSystemModel model) {
    int points = PowerCuts.on(model, SEED).atMost(60).atEachOperation(Replacement::new);
    assertThat(points).isGreaterThan(20);
  }

  private final class Replacement implements PowerCuts.Case {
    private boolean isReplaced;

    @Override
    public void run(Directory disk) throws IOException {
      Directory foreign = foreign(disk);
      try (LiveSet set = open(disk, memory)) {
        flushDeleting(set);
        flush(set, 3);
        set.importTables(foreign, VerificationLevel.NONE, true);
        isReplaced = true;
      }
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      try (LiveSet set = openReadOnly(rebooted, memory)) {
        check(set);
      }
      try (LiveSet set = open(rebooted, memory)) {
        check(set);
        assertThat(rebooted.files().contains(KeyRangeDeletionStore.FILE))
            .isEqualTo(set.keyRanges().present() != null);
      }
    }

    private void check(LiveSet set) throws IOException {
      List<SortedSet<Integer>> shown = content(set);
      if (isReplaced) {
        assertThat(shown).containsExactly(set(8));
      }
      assertThat(shown).isIn(List.of(), List.of(set(1, 2)), BEFORE, List.of(set(8)));
      assertThat(set.keyRanges().present() != null).isEqualTo(shown.contains(set(1, 2)));
    }
  }
}
