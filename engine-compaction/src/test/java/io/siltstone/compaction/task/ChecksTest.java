package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A loss between any two stages of a task is detected before the commit. */
class ChecksTest {
  private static final int KEYS = 20;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  /** The harm that a cursor does. */
  private enum Sabotage {
    NOTHING,
    LOSE_A_ROW,
    LOSE_A_MARKER,
    LOSE_A_PARTITION_S_DELETION,
    LOSE_A_ROW_S_DELETION,
    LOSE_A_PARTITION,
    LOSE_THE_FIRST_PARTITION,
    LOSE_THE_LAST_PARTITION,
    CHANGE_A_KEY
  }

  private enum Place {
    INPUT,
    MERGED,
    PURGED
  }

  /** A cursor that does its harm once. */
  private static final class Saboteur extends ForwardingCursor {
    private final Sabotage sabotage;
    private final PartitionKey other = new PartitionKey();
    private int partitions;
    private boolean isDone;
    private boolean isKeyChanged;
    private @Nullable Unfiltered changed;

    Saboteur(PartitionCursor source, Sabotage sabotage) {
      super(source);
      this.sabotage = sabotage;
    }

    @Override
    public boolean nextPartition() throws IOException {
      isKeyChanged = false;
      if (!source.nextPartition()) {
        return false;
      }
      partitions++;
      boolean loses =
          switch (sabotage) {
            case LOSE_A_PARTITION -> partitions == KEYS / 2;
            case LOSE_THE_FIRST_PARTITION -> partitions == 1;
            case LOSE_THE_LAST_PARTITION -> partitions == KEYS;
            default -> false;
          };
      if (loses) {
        while (source.nextUnfiltered()) {
          // The item is skipped.
        }
        return source.nextPartition();
      }
      if (sabotage == Sabotage.CHANGE_A_KEY && partitions == KEYS / 2) {
        byte[] bytes = source.key().toByteArray();
        bytes[bytes.length - 1] ^= 1;
        other.wrap(bytes, 0, bytes.length, source.key().token());
        isKeyChanged = true;
      }
      return true;
    }

    @Override
    public PartitionKey key() {
      return isKeyChanged ? other : source.key();
    }

    @Override
    public boolean nextUnfiltered() throws IOException {
      boolean isThere = source.nextUnfiltered();
      Sabotage loss =
          isThere && source.unfiltered().isMarker() ? Sabotage.LOSE_A_MARKER : Sabotage.LOSE_A_ROW;
      if (isThere && !isDone && sabotage == loss && partitions > 3) {
        isDone = true;
        return nextUnfiltered();
      }
      changed = null;
      if (isThere && !isDone && sabotage == Sabotage.LOSE_A_ROW_S_DELETION) {
        changed = withoutDeletion(source.unfiltered());
        isDone = changed != null;
      }
      return isThere;
    }

    private @Nullable Unfiltered withoutDeletion(Unfiltered row) throws IOException {
      if (row.isMarker() || !row.hasDeletion()) {
        return null;
      }
      UnfilteredEncoder encoder = new UnfilteredEncoder(row.encoding());
      encoder.beginRow();
      encoder.clustering(row.clustering());
      encoder.liveness(1, 0, 0);
      encoder.finish(0);
      Unfiltered changed =
          new Unfiltered(row.encoding(), (index, reason) -> new IOException(reason));
      encoder.encoded().wrapWith(changed);
      return changed;
    }

    @Override
    public Unfiltered unfiltered() {
      return changed != null ? changed : source.unfiltered();
    }

    private boolean losesDeletion() {
      return sabotage == Sabotage.LOSE_A_PARTITION_S_DELETION && partitions == KEYS / 2;
    }

    @Override
    public long deletionTimestamp() {
      return losesDeletion() ? DeletionTime.NO_TIMESTAMP : source.deletionTimestamp();
    }

    @Override
    public long deletionLocalTime() {
      return losesDeletion() ? DeletionTime.NO_DELETION_TIME : source.deletionLocalTime();
    }
  }

  private static StageProbes at(Place place, Sabotage sabotage) {
    return new StageProbes() {
      private boolean isPlaced;

      private PartitionCursor spoil(PartitionCursor cursor, Place here) {
        if (here != place || isPlaced) {
          return cursor;
        }
        isPlaced = true;
        return new Saboteur(cursor, sabotage);
      }

      @Override
      public PartitionCursor input(PartitionCursor cursor) {
        return spoil(cursor, Place.INPUT);
      }

      @Override
      public PartitionCursor merged(PartitionCursor cursor) {
        return spoil(cursor, Place.MERGED);
      }

      @Override
      public PartitionCursor purged(PartitionCursor cursor) {
        return spoil(cursor, Place.PURGED);
      }
    };
  }

  private static void fill(TaskTables tables) throws IOException {
    for (int table = 0; table < 2; table++) {
      int first = table;
      tables.flush(
          writes -> {
            for (int key = 0; key < KEYS; key++) {
              for (int row = 0; row < 4; row++) {
                int c = first + 2 * row;
                writes.at(10 + first, key, b -> b.insert(c).set("v", "value " + c));
              }
              writes.at(4, key, b -> b.deletePartition());
              writes.at(6, key, b -> b.deleteRow(40));
              writes.at(5, key, b -> b.deleteRange(ClusteringRange.all().from(20).to(30)));
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachLossIsNoticedWhereverItHappens(Sabotage sabotage) throws IOException {
    for (Place place : Place.values()) {
      MemoryDirectory disk = new MemoryDirectory();
      try (TaskTables tables = TaskTables.open(disk, leaks.memory())) {
        fill(tables);
        Set<Descriptor> before = tables.live();
        List<String> content = tables.content();
        TaskOptions options = tables.options(10).build();
        StageProbes stageProbes = at(place, sabotage);
        if (sabotage == Sabotage.NOTHING) {
          tables.compact(before, options, new TaskProgress(), stageProbes);
          assertThat(tables.live()).hasSize(1);
        } else {
          assertThatThrownBy(() -> tables.compact(before, options, new TaskProgress(), stageProbes))
              .as("%s at %s", sabotage, place)
              // Harm that makes an unreadable file is refused by the verification of outputs
              // before.
              .isInstanceOfAny(CompactionCheckException.class, OutputVerificationException.class)
              .hasMessageMatching("(?s).*(nothing was changed|is not committed).*");
          assertThat(tables.live()).isEqualTo(before);
        }
        assertThat(tables.content()).isEqualTo(content);
      }
      leaks.requireNothingOpen();
    }
  }

  @Test
  void aKeyThatIsNeitherWrittenNorDeadIsNamed() throws IOException {
    try (TaskTables tables = TaskTables.open(new MemoryDirectory(), leaks.memory())) {
      fill(tables);
      try (var claim = tables.set.claim(tables.live()).orElseThrow()) {
        BoundaryKeyCheck boundaryKeyCheck =
            BoundaryKeyCheck.of(claim.inputs(), io.siltstone.partitioner.PartitionRange.ALL);
        PartitionKey first = claim.inputs().get(0).firstKey();
        PartitionKey last = claim.inputs().get(0).lastKey();
        boundaryKeyCheck.pass(first);
        assertThatThrownBy(() -> boundaryKeyCheck.check("a test"))
            .hasMessageContaining(last.toString());
        boundaryKeyCheck.pass(last);
        boundaryKeyCheck.check("a test");
        BoundaryKeyCheck without =
            BoundaryKeyCheck.of(claim.inputs(), io.siltstone.partitioner.PartitionRange.ALL);
        without.pass(last);
        assertThatThrownBy(() -> without.check("a test")).hasMessageContaining(first.toString());
      }
    }
  }
}
