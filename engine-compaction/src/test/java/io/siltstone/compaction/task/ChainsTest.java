package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Builds chains of SSTables with random overlaps, and checks what a merge of chains returns and
 * keeps open.
 */
class ChainsTest {
  private static final long SEED = Long.getLong("siltstone.seed", 7);
  private static final int TABLES = 60;
  private static final int KEYS = 400;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Random random = new Random(SEED);

  private TaskTables tables() throws IOException {
    return TaskTables.open(leaks.watch(new MemoryDirectory()), leaks.memory());
  }

  /** SSTables of one to three keys, each encoded with its own base. */
  private void fill(TaskTables tables) throws IOException {
    for (int i = 0; i < TABLES; i++) {
      int micros = i;
      int count = 1 + random.nextInt(3);
      tables.flush(
          TaskTables.NOW - i,
          writes -> {
            for (int k = 0; k < count; k++) {
              int key = random.nextInt(KEYS);
              int c = random.nextInt(4);
              if (random.nextInt(4) == 0) {
                writes.at(micros, key, b -> b.deleteRow(c));
              } else {
                writes.at(micros, key, b -> b.insert(c).set("v", "value " + micros));
              }
            }
          });
    }
  }

  private static boolean overlap(SSTable left, SSTable right) {
    return left.firstKey().compareTo(right.lastKey()) <= 0
        && right.firstKey().compareTo(left.lastKey()) <= 0;
  }

  /** Returns how many have the first key of one between their first and last keys. */
  private static long depth(SSTable at, List<SSTable> tables) {
    return tables.stream()
        .filter(
            table ->
                table.firstKey().compareTo(at.firstKey()) <= 0
                    && table.lastKey().compareTo(at.firstKey()) >= 0)
        .count();
  }

  @Test
  void eachTableIsInOneOfAsFewChainsAsThereCanBe() throws Exception {
    try (TaskTables tables = tables()) {
      fill(tables);
      try (Claim claim = tables.set.claim(tables.live()).orElseThrow()) {
        List<SSTable> inputs = claim.inputs();
        for (int i = 0; i < TABLES; i++) {
          PartitionKey from = inputs.get(i).lastKey();
          PartitionRange range =
              i == 0 ? PartitionRange.ALL : new PartitionRange(from, i % 2 == 0 ? null : from);
          List<SSTable> wanted =
              inputs.stream()
                  .filter(table -> range.overlaps(table.firstKey(), table.lastKey()))
                  .toList();
          List<List<SSTable>> chains = Subcompaction.chains(inputs, range);
          String what = "seed " + SEED + ", " + range;
          assertThat(chains.stream().flatMap(List::stream).toList())
              .as(what)
              .containsExactlyInAnyOrderElementsOf(wanted);
          for (List<SSTable> chain : chains) {
            for (int k = 1; k < chain.size(); k++) {
              assertThat(chain.get(k - 1).lastKey()).as(what).isLessThan(chain.get(k).firstKey());
              assertThat(overlap(chain.get(k - 1), chain.get(k))).as(what).isFalse();
            }
          }
          long deepest = wanted.stream().mapToLong(at -> depth(at, wanted)).max().orElse(0);
          assertThat(chains).as(what).hasSize((int) deepest);
        }
      }
    }
  }

  /** Counts open files. */
  private static final class Counted extends ForwardingCursor {
    private final Set<PartitionCursor> open;

    Counted(PartitionCursor source, Set<PartitionCursor> open) {
      super(source);
      this.open = open;
      open.add(this);
    }

    @Override
    public void close() throws IOException {
      open.remove(this);
      source.close();
    }
  }

  @Test
  void aMergeKeepsNoMoreOpenThanThereAreChains() throws Exception {
    try (TaskTables tables = tables()) {
      fill(tables);
      Set<Descriptor> before = tables.live();
      List<String> content = tables.content();
      int chains;
      try (Claim claim = tables.set.claim(before).orElseThrow()) {
        chains = Subcompaction.chains(claim.inputs(), PartitionRange.ALL).size();
      }
      assertThat(chains).isLessThan(TABLES - 10);
      Set<PartitionCursor> open = new HashSet<>();
      int[] most = {0, 0};
      StageProbes stageProbes =
          new StageProbes() {
            @Override
            public PartitionCursor input(PartitionCursor cursor) {
              Counted counted = new Counted(cursor, open);
              most[0] = Math.max(most[0], open.size());
              most[1]++;
              return counted;
            }
          };
      tables.compact(before, tables.options(0).build(), new TaskProgress(), stageProbes);
      assertThat(most[0]).as("seed %s", SEED).isEqualTo(chains);
      assertThat(most[1]).isEqualTo(TABLES);
      assertThat(open).isEmpty();
      assertThat(tables.content()).isEqualTo(content);
    }
  }
}
