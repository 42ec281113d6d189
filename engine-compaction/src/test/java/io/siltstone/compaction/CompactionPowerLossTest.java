package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.model.Contents;
import io.siltstone.spi.CompactionRequest;
import io.siltstone.spi.CompactionRequest.Operation;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.PowerCuts;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power goes at any operation while compaction runs: what was acknowledged is there, what was
 * deleted is not, and of each job there are the inputs or the outputs. Repeated with {@code
 * -Dsiltstone.seed=N}, enlarged with {@code -Dsiltstone.scale=N}.
 */
class CompactionPowerLossTest {
  private static final long SEED = Long.getLong("siltstone.seed", 1);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int POINTS = 25;

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void eachJobIsDoneOrNot(FileSystemModel model) throws IOException {
    for (long seed = SEED; seed < SEED + SCALE; seed++) {
      CompactionStory story = new CompactionStory(seed, 60);
      CompactionStory.Telling whole = story.new Telling();
      whole.tell(new SimulatedDisk(model));
      assertThat(whole.failures()).isEmpty();
      assertThat(whole.jobs()).as("jobs of seed %d", seed).isGreaterThan(5);
      int points =
          PowerCuts.on(model, seed)
              .atMost(POINTS)
              .atEachOperation(() -> new Case(story.new Telling()));
      assertThat(points).isEqualTo(POINTS);
    }
  }

  /** A record of the log outlives the SSTable that had it, whose rows were all forgotten. */
  @Test
  void whatWasCompactedToNothingIsNotReplayed() throws IOException {
    CompactionService service =
        new CompactionService(
            CompactionOptions.builder()
                .clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))
                .build());
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(service)
            .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
            .build();
    SimulatedDisk disk = new SimulatedDisk();
    SimulatedDisk found;
    Database database = Database.open(disk, options);
    try {
      Table table =
          database.createTable(
              "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH gc_grace_seconds = 0 AND"
                  + " compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
      table.write(table.mutation(1).insert().set("v", "deleted").build());
      table.flush();
      table.write(table.mutation(1).deletePartition().build());
      table.write(table.mutation(2).insert().set("v", "live").build());
      table.flush();
      ask(table, Operation.GARBAGE_COLLECT);
      ask(table, Operation.MAJOR);
      assertThat(table.live().tables()).singleElement().matches(left -> left.partitions() == 1);
      found = disk.processDeath();
    } finally {
      assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    }
    try (Database again = Database.open(found, options)) {
      assertThat(Contents.of(again.table("ks", "t"))).containsExactly("2 live");
    }
  }

  private static void ask(Table table, Operation operation) {
    var unused = table.compact(CompactionRequest.of(operation)).toCompletableFuture().join();
  }

  private record Case(CompactionStory.Telling telling) implements PowerCuts.Case {
    @Override
    public void run(Directory disk) throws IOException {
      telling.tell(disk);
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      telling.check(rebooted);
    }
  }
}
