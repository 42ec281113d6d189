package io.siltstone.liveset;

import static io.siltstone.liveset.SmallTables.content;
import static io.siltstone.liveset.SmallTables.flush;
import static io.siltstone.liveset.SmallTables.merge;
import static io.siltstone.liveset.SmallTables.open;
import static io.siltstone.liveset.SmallTables.openReadOnly;
import static io.siltstone.liveset.SmallTables.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.UnreadableFileException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.PowerCuts;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions when the power goes or the disk fails at any operation, and what is found then. */
class TransactionFailuresTest {
  private static final long SEED = Long.getLong("siltstone.seed", 23);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  private static final Set<Operation> READS =
      Set.of(Operation.OPEN, Operation.READ, Operation.LOOK_UP);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  private static SortedSet<Integer> set(Integer... keys) {
    return new TreeSet<>(List.of(keys));
  }

  /** A step of a history. */
  private interface Step {
    void run(Directory disk, LiveSet set) throws IOException;
  }

  /** The steps of a history, and the content after each of them, that of the empty set first. */
  private static final class History {
    private final List<Step> steps = new ArrayList<>();
    private final List<List<SortedSet<Integer>>> contents = new ArrayList<>(List.of(List.of()));

    History step(Step step, List<SortedSet<Integer>> content) {
      steps.add(step);
      contents.add(content);
      return this;
    }
  }

  private static Descriptor oa(int generation) {
    return Descriptor.parse("oa-" + generation + "-big-Data.db");
  }

  private static final History HISTORY =
      new History()
          .step((disk, set) -> flush(set, 1, 2), List.of(set(1, 2)))
          .step((disk, set) -> flush(set, 3), List.of(set(1, 2), set(3)))
          .step((disk, set) -> merge(set, Set.of(oa(1), oa(2)), 4), List.of(set(1, 2, 3, 4)))
          .step((disk, set) -> split(set, oa(3)), List.of(set(1, 3), set(2, 4)))
          .step((disk, set) -> importFrom(disk, set, false), List.of(set(1, 3), set(2, 4), set(8)))
          .step((disk, set) -> giveUp(set, oa(4)), List.of(set(1, 3), set(2, 4), set(8)))
          .step((disk, set) -> purge(set, oa(4)), List.of(set(2, 4), set(8)))
          .step((disk, set) -> set.truncation().dropAll(generation -> {}), List.of())
          .step((disk, set) -> flush(set, 9), List.of(set(9)))
          .step((disk, set) -> flush(set, 10), List.of(set(10), set(9)))
          .step((disk, set) -> importFrom(disk, set, true), List.of(set(8)));

  private static void giveUp(LiveSet set, Descriptor input) throws IOException {
    try (Claim claim = set.claim(Set.of(input)).orElseThrow()) {
      write(claim, List.of(1)).finish();
      write(claim, List.of(3));
    }
  }

  private static void split(LiveSet set, Descriptor input) throws IOException {
    try (Claim claim = set.claim(Set.of(input)).orElseThrow()) {
      write(claim, List.of(1, 3));
      write(claim, List.of(2, 4));
      claim.commit();
    }
  }

  private static void purge(LiveSet set, Descriptor input) throws IOException {
    try (Claim claim = set.claim(Set.of(input)).orElseThrow()) {
      write(claim, List.of());
      claim.commit();
    }
  }

  private static void importFrom(Directory disk, LiveSet set, boolean replaces) throws IOException {
    set.importTables(disk.directory("foreign"), VerificationLevel.DIGEST, replaces);
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void afterAPowerLossEitherInputsOrOutputsAreLive(FileSystemModel model) {
    int points =
        PowerCuts.on(model, SEED)
            .lossesPerPoint(SCALE)
            .atMost(SCALE == 1 ? 20 : Integer.MAX_VALUE)
            .atEachOperation(Steps::new);
    assertThat(points).isGreaterThanOrEqualTo(20);
  }

  private final class Steps implements PowerCuts.Case {
    private int done;

    @Override
    public void run(Directory disk) throws IOException {
      Directory foreign = disk.directory("foreign");
      try (LiveSet other = open(foreign, memory)) {
        flush(other, 8);
      }
      try (LiveSet set = open(disk, memory)) {
        for (Step step : HISTORY.steps) {
          step.run(disk, set);
          done++;
        }
      }
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      SimulatedDisk found = (SimulatedDisk) rebooted;
      List<SortedSet<Integer>> shown;
      try (LiveSet set = openReadOnly(found, memory)) {
        shown = content(set);
      }
      int next = Math.min(done + 1, HISTORY.steps.size());
      assertThat(shown).isIn(HISTORY.contents.get(done), HISTORY.contents.get(next));
      // Recovery is cut as well, after each of its operations, and done again.
      for (int operations = 0; ; operations++) {
        SimulatedDisk copy = found.powerLoss(SEED);
        copy.crashAfter(operations);
        boolean isCut = false;
        try {
          assertThat(content(copy, memory)).isEqualTo(shown);
        } catch (IOException e) {
          assertThat(copy.isLost()).as("%s", e).isTrue();
          isCut = true;
        }
        requireClean(copy.powerLoss(SEED + operations), shown);
        if (!isCut) {
          return;
        }
      }
    }
  }

  /** Opens a directory; all that is left is the live tables, whose content is as given. */
  private void requireClean(Directory directory, List<SortedSet<Integer>> expected)
      throws IOException {
    try (LiveSet set = open(directory, memory)) {
      assertThat(content(set)).isEqualTo(expected);
      assertThat(set.report().orphans()).isEmpty();
      Set<String> live = new TreeSet<>();
      set.live().tables().forEach(table -> live.add(SSTableComponents.prefix(table.descriptor())));
      for (String name : directory.files()) {
        assertThat(live).as(name).contains(SSTableComponents.prefixOf(name));
        assertThat(SSTableComponents.isTemporary(name)).as(name).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {
        "CREATE",
        "WRITE",
        "SYNC",
        "RENAME",
        "SYNC_DIRECTORY",
        "DELETE",
        "APPEND",
        "LIST",
        "LOOK_UP",
        "OPEN",
        "READ",
        "LINK"
      })
  void aFailureAtAnyCallIsToldAndChangesNothing(Operation operation) throws IOException {
    // All calls in longer runs only; of the many reads few.
    boolean isRead = READS.contains(operation);
    int step = SCALE > 1 ? 1 : isRead ? 194 : 8;
    for (boolean afterwards : new boolean[] {false, true}) {
      long call = 1;
      while (failsCleanly(Fault.on(operation).call(call), afterwards)) {
        call += step;
      }
      assertThat(call).as("calls of %s that failed", operation).isGreaterThan(1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY", "DELETE", "APPEND"})
  void aDiskThatFailsForGoodIsToldAndChangesNothing(Operation operation) throws IOException {
    int step = SCALE == 1 ? 6 : 1;
    long call = 1;
    while (failsCleanly(Fault.on(operation).fromCall(call), false)) {
      call += step;
    }
    assertThat(call).isGreaterThan(1);
  }

  /** Whether the fault happened. What memory and disk show is compared after each step. */
  private boolean failsCleanly(Fault.Rule rule, boolean afterwards) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    try (LiveSet other = open(disk.directory("foreign"), memory)) {
      flush(other, 8);
    }
    Fault fault = afterwards ? rule.failsAfterwards("bad sector") : rule.fails("bad sector");
    Directory faulty = leaks.watch(new FaultyDirectory(disk, SEED, fault));
    String what = "seed " + SEED + ", " + fault;
    List<SortedSet<Integer>> before = List.of();
    List<SortedSet<Integer>> after = List.of();
    boolean isTold = false;
    try (LiveSet set = open(faulty, memory)) {
      for (int i = 0; i < HISTORY.steps.size() && !isTold; i++) {
        before = HISTORY.contents.get(i);
        after = HISTORY.contents.get(i + 1);
        long firedBefore = fault.fired();
        try {
          HISTORY.steps.get(i).run(faulty, set);
          before = after;
        } catch (IOException e) {
          isTold = true;
          assertThat(fault.fired()).as(what).isGreaterThan(firedBefore);
        }
      }
    } catch (IOException e) {
      // It could not even be opened.
      assertThat(fault.fired()).as(what).isPositive();
      before = List.of();
      after = before;
    }
    leaks.requireNothingOpen();
    // A step that was told to have failed after its last line was written may have happened.
    assertThat(content(disk, memory)).as(what).isIn(before, after);
    requireClean(disk, content(disk, memory));
    return fault.fired() > 0;
  }

  @Test
  void aCommitThatFailsOnceHasNotHappened() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Fault fault = Fault.on(Operation.APPEND).files("*.log").call(1).fails("bad sector");
    try (LiveSet set = open(new FaultyDirectory(disk, SEED, fault), memory)) {
      assertThatThrownBy(() -> flush(set, 1)).hasMessageContaining("bad sector");
      assertThat(disk.files()).isEmpty();
      flush(set, 2);
      assertThat(content(set)).containsExactly(set(2));
    }
    assertThat(content(disk, memory)).containsExactly(set(2));
  }

  @Test
  void aCommitWhoseLogCannotBeOpenedHasNotHappenedThoughNothingElseCanBeWritten()
      throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Fault append = Fault.on(Operation.APPEND).files("*.log").call(1).fails("too many open files");
    Fault create = Fault.on(Operation.CREATE).files("*.log.tmp").call(2).fails("too many as well");
    try (LiveSet set = open(new FaultyDirectory(disk, SEED, append, create), memory)) {
      assertThatThrownBy(() -> flush(set, 1)).hasMessageContaining("too many open files");
      assertThat(disk.files()).isEmpty();
      assertThatThrownBy(() -> flush(set, 1)).hasMessageContaining("too many as well");
      flush(set, 2);
      assertThat(content(set)).containsExactly(set(2));
    }
    assertThat(content(disk, memory)).containsExactly(set(2));
  }

  @Test
  void aCommitInDoubtRefusesChangesUntilItIsOpenedAgain() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    List<IOException> refused = new ArrayList<>();
    LiveSetOptions options =
        SmallTables.options(memory)
            .observer(
                new LiveSetObserver() {
                  @Override
                  public void refusesChanges(IOException cause) {
                    refused.add(cause);
                  }
                })
            .build();
    Descriptor input;
    try (LiveSet set = open(disk, memory)) {
      input = flush(set, 1);
    }
    Fault written = Fault.on(Operation.SYNC).files("*.log").failsAfterwards("bad sector");
    Fault full = Fault.on(Operation.CREATE).files("*.log.tmp").call(2).fails("disk full");
    Directory faulty = new FaultyDirectory(disk, SEED, written, full);
    try (LiveSet set = LiveSet.open(faulty, SmallTables.SCHEMA, options, memory)) {
      assertThatThrownBy(() -> merge(set, Set.of(input), 2))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not known")
          .hasMessageContaining("bad sector");
      assertThat(refused).hasSize(1);
      assertThat(content(set)).containsExactly(set(1));
      assertThat(set.claim(Set.of(input))).isEmpty();
      assertThatThrownBy(() -> flush(set, 3)).hasMessageContaining("opened again");
      assertThatThrownBy(() -> set.truncation().dropAll(generation -> {}))
          .hasMessageContaining("opened again");
      assertThat(content(set)).containsExactly(set(1));
    }
    assertThat(content(disk, memory)).containsExactly(set(1, 2));
  }

  @Test
  void obsoleteFilesThatCannotBeDeletedAreDeletedWhenItIsOpenedAgain() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    String data = oa(1).fileName(Component.DATA);
    Fault fault = Fault.on(Operation.DELETE).files(data).fails("busy");
    try (LiveSet set = open(new FaultyDirectory(disk, SEED, fault), memory)) {
      flush(set, 1);
      merge(set, Set.of(oa(1)), 2);
      assertThat(content(set)).containsExactly(set(1, 2));
      assertThat(disk.files()).contains(data);
    }
    requireClean(disk, List.of(set(1, 2)));
    assertThat(disk.files()).doesNotContain(data);
  }

  @Test
  void aDirectoryWhoseNameBreaksLinesIsRecoveredToo() throws IOException {
    Directory disk = new MemoryDirectory().directory("two\nlines");
    String data = oa(1).fileName(Component.DATA);
    Fault fault = Fault.on(Operation.DELETE).files(data).fails("busy");
    try (LiveSet set = open(new FaultyDirectory(disk, SEED, fault), memory)) {
      flush(set, 1);
      merge(set, Set.of(oa(1)), 2);
      assertThat(disk.files()).contains(data);
    }
    requireClean(disk, List.of(set(1, 2)));
    assertThat(disk.files()).doesNotContain(data);
  }

  @Test
  void whatFailsBehindTheCommitUndoesNothing() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Fault full =
        Fault.on(Operation.DELETE)
            .files("*.log")
            .runs(
                "full stack",
                () -> {
                  throw new StackOverflowError("full stack");
                });
    try (LiveSet set = open(new FaultyDirectory(disk, SEED, full), memory)) {
      flush(set, 1);
      assertThat(full.fired()).isPositive();
      assertThat(content(set)).containsExactly(set(1));
      assertThat(disk.files()).contains(oa(1).fileName(Component.DATA));
    }
    requireClean(disk, List.of(set(1)));
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void aCopyIsDurableThoughItsSourceNeverWas(FileSystemModel model) throws IOException {
    MemoryDirectory made = new MemoryDirectory();
    try (LiveSet set = open(made, memory)) {
      flush(set, 1, 2, 3);
    }
    for (int seed = 0; seed < 10; seed++) {
      SimulatedDisk disk = new SimulatedDisk(model);
      putByHand(made, disk);
      try (LiveSet set = open(disk, memory);
          Claim claim = set.claim(Set.of(oa(1))).orElseThrow()) {
        claim
            .newCopy(
                claim.inputs().get(0),
                0,
                PipelineExecutors.NONE,
                io.siltstone.maintenance.OutputVerification.FULL)
            .copy(SequentialAccess.SCAN, bytes -> {});
        claim.commit();
      }
      assertThat(content(disk.powerLoss(seed), memory)).containsExactly(set(1, 2, 3));
    }
  }

  private static void putByHand(Directory from, Directory to) throws IOException {
    for (String name : from.files()) {
      try (ReadableFile in = from.open(name, ReadIntent.SCAN);
          WritableFile out = to.create(name, WriteIntent.OTHER)) {
        ByteBuffer bytes = ByteBuffer.allocate((int) in.length());
        in.readFully(0, bytes);
        out.write(bytes.flip());
      }
    }
  }

  @Test
  void aLogOfWhichOnlyAPartIsReadUndoesNothing() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    Fault busy = Fault.on(Operation.DELETE).files(oa(1).fileName(Component.DATA)).fails("busy");
    try (LiveSet set = open(new FaultyDirectory(disk, SEED, busy), memory)) {
      flush(set, 1);
      merge(set, Set.of(oa(1)), 2);
    }
    Fault cut = Fault.on(Operation.READ).files("*.log").fromCall(1).readsShort();
    assertThatThrownBy(() -> open(new FaultyDirectory(disk, SEED, cut), memory).close())
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageContaining("_txn_compaction_");
    requireClean(disk, List.of(set(1, 2)));
  }
}
