package io.siltstone.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.testkit.RefusingDirectory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Where open files can neither be deleted nor renamed, as on Windows, a database does all that it
 * does elsewhere: it flushes, compacts, truncates, imports, makes checkpoints, and opens again.
 */
class RefusedDeletionsTest {
  private static final int SEEDS = 6;
  private static final int OPERATIONS = 150;

  @Test
  void aDatabaseDoesNotDeleteOrRenameWhatIsOpen() {
    SequenceRunner.seeds(
        SEEDS,
        seed -> {
          List<RefusingDirectory> disks = new ArrayList<>();
          Configuration configuration = Configuration.draw(seed);
          new SequenceRunner(
                  (of, clock) -> {
                    RefusingDirectory disk = new RefusingDirectory(new MemoryDirectory());
                    disks.add(disk);
                    return new DatabaseEngine(
                        configuration, Compaction.none(), RandomMerge::merge, of, clock, disk);
                  })
              .run(SequenceGenerator.draw(seed, OPERATIONS));
          disks.forEach(disk -> assertThat(disk.refused()).as("seed %s", seed).isZero());
        });
  }
}
