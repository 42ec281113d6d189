package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.compaction.strategy.Split;
import io.siltstone.compaction.task.TaskOptions.Kind;
import io.siltstone.io.Directory;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Something fails in a task, then in undoing it, in the next attempt, and by a loss of power:
 * afterwards the data from before is there, and nothing else. Repeated with {@code
 * -Dsiltstone.seed=N}, enlarged with {@code -Dsiltstone.scale=N}.
 */
class RandomFaultsTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int SEEDS = 50;
  private static final List<Operation> OPERATIONS =
      List.of(
          Operation.OPEN,
          Operation.READ,
          Operation.CREATE,
          Operation.APPEND,
          Operation.WRITE,
          Operation.SYNC,
          Operation.SYNC_DIRECTORY,
          Operation.RENAME,
          Operation.LINK,
          Operation.DELETE,
          Operation.LIST,
          Operation.LOOK_UP,
          Operation.MAKE_DIRECTORY);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @Test
  void nothingIsLostAndNothingLeft() throws IOException {
    Long one = Long.getLong("siltstone.seed");
    if (one != null) {
      run(one);
      return;
    }
    int failed = 0;
    for (long seed = 1; seed <= (long) SEEDS * SCALE; seed++) {
      failed += run(seed) ? 1 : 0;
    }
    assertThat(failed).as("of %s runs", SEEDS * SCALE).isGreaterThan(SEEDS * SCALE / 4);
  }

  /** Whether a task has failed. */
  private boolean run(long seed) throws IOException {
    Random random = new Random(seed);
    SimulatedDisk disk = new SimulatedDisk();
    List<Kind> kinds = List.of(Kind.values());
    Kind kind = kinds.get(random.nextInt(kinds.size()));
    List<String> content;
    try (TaskTables tables = TaskTables.open(disk, leaks.memory())) {
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        write(tables, random);
      }
      if (random.nextBoolean()) {
        tables.compact(tables.live(), tables.options(0).build());
        write(tables, random);
      }
      content = tables.content();
    }
    List<Fault> faults = faults(random, disk, kind);
    String what = "-Dsiltstone.seed=" + seed + ", " + kind + ", " + faults;
    Directory faulty = new FaultyDirectory(disk, seed, faults.toArray(Fault[]::new));
    SimulatedDisk left = disk;
    boolean hasFailed = false;
    try {
      try (TaskTables tables = TaskTables.open(leaks.watch(faulty), leaks.memory())) {
        for (int attempts = 1 + random.nextInt(3); attempts > 0; attempts--) {
          hasFailed |= !attempt(tables, kind, random, content, what);
        }
        int end = random.nextInt(3);
        if (end > 0) {
          left = end == 1 ? disk.powerLoss(seed) : disk.processDeath();
        }
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError(what + ": " + e, e);
    }
    leaks.requireNothingOpen();
    for (int i = 0; i < 2; i++) {
      try (TaskTables tables = TaskTables.open(left, leaks.memory())) {
        assertThat(tables.content()).as(what).isEqualTo(content);
        requireNothingElse(left, tables.live(), what);
      } catch (IOException | RuntimeException e) {
        throw new AssertionError(what + ": " + e, e);
      }
    }
    return hasFailed;
  }

  private static void write(TaskTables tables, Random random) throws IOException {
    tables.flush(
        writes -> {
          for (int i = 1 + random.nextInt(60); i > 0; i--) {
            int row = random.nextInt(20);
            int micros = random.nextInt(1000);
            int key = random.nextInt(8);
            switch (random.nextInt(8)) {
              case 0 -> writes.at(micros, key, b -> b.deleteRow(row));
              case 1 ->
                  writes.at(
                      micros,
                      key,
                      b -> b.deleteRange(ClusteringRange.all().from(row).before(row + 3)));
              case 2 -> writes.at(micros, key, b -> b.set("s", row));
              default ->
                  writes.at(
                      micros,
                      key,
                      b -> b.insert(row).set("v", Long.toHexString(random.nextLong())));
            }
          }
        });
  }

  /** One to three faults; the later ones occur while the first one is handled. */
  private List<Fault> faults(Random random, SimulatedDisk disk, Kind kind) throws IOException {
    // How often each operation is called to open the tables.
    List<Fault> counters =
        OPERATIONS.stream()
            .map(operation -> Fault.on(operation).call(Long.MAX_VALUE).fails("never"))
            .toList();
    TaskTables.open(new FaultyDirectory(disk, 1, counters.toArray(Fault[]::new)), leaks.memory())
        .close();
    List<Fault> faults = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int drawn = random.nextInt(OPERATIONS.size());
      Operation operation = OPERATIONS.get(drawn);
      boolean isRead = operation == Operation.READ || operation == Operation.OPEN;
      if (isRead && kind == Kind.SCRUB) {
        // A scrub drops what it cannot read, and reports it.
        continue;
      }
      long call =
          1 + counters.get(drawn).calls() + random.nextInt(1 << random.nextInt(isRead ? 9 : 6));
      Fault.Rule rule = Fault.on(operation);
      rule = random.nextInt(3) == 0 ? rule.fromCall(call) : rule.call(call);
      faults.add(
          random.nextBoolean() ? rule.fails("bad sector") : rule.failsAfterwards("bad luck"));
    }
    return faults;
  }

  /**
   * Returns true if the task succeeded, or was refused as the result of the one before is unknown.
   */
  private static boolean attempt(
      TaskTables tables, Kind kind, Random random, List<String> content, String what)
      throws IOException {
    TaskOptions options =
        tables
            .options(0)
            .kind(kind)
            .split(random.nextBoolean() ? new Split.BySize(400) : Split.NONE)
            .resources(TestResources.parallel(1 + random.nextInt(3), PipelineExecutors.NONE))
            .build();
    Optional<Claim> claim = tables.set.claim(tables.live());
    if (claim.isEmpty()) {
      return true;
    }
    try (Claim taken = claim.orElseThrow()) {
      new CompactionTask(taken, options, new TaskProgress()).run();
    } catch (IOException e) {
      return false;
    }
    try {
      assertThat(tables.content()).as(what).isEqualTo(content);
    } catch (IOException e) {
      // A permanent fault.
      return false;
    }
    return true;
  }

  private static void requireNothingElse(Directory left, Set<Descriptor> live, String what)
      throws IOException {
    Set<String> ids = new TreeSet<>();
    live.forEach(descriptor -> ids.add(descriptor.id()));
    for (String name : left.files()) {
      assertThat(name).as(what).doesNotEndWith(Descriptor.TEMPORARY_SUFFIX);
      assertThat(ids).as("%s: %s", what, name).contains(name.split("-", -1)[1]);
    }
  }
}
