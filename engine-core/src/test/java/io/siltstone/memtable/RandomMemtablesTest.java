package io.siltstone.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.Slice;
import io.siltstone.memtable.MemtableModel.Bound;
import io.siltstone.memtable.MemtableModel.Cell;
import io.siltstone.memtable.MemtableModel.Change;
import io.siltstone.memtable.MemtableModel.Range;
import io.siltstone.memtable.MemtableModel.RowChange;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random changes and reads of memtables against {@link MemtableModel}, as of now and of snapshots.
 * Repeated with {@code -Dsiltstone.seed=N}, enlarged with {@code -Dsiltstone.scale=N}.
 */
class RandomMemtablesTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int SEEDS = 20 * SCALE;
  private static final int CHANGES = 150;
  private static final int KEYS = 6;
  private static final int FIRSTS = 7;
  private static final int SECONDS = 9;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @Test
  void readsGiveWhatWasWritten() throws IOException {
    Long one = Long.getLong("siltstone.seed");
    for (long seed = one == null ? 0 : one; seed < (one == null ? SEEDS : one + 1); seed++) {
      try {
        new Round(seed).run();
      } catch (AssertionError | Exception e) {
        throw new AssertionError("seed " + seed + ": -Dsiltstone.seed=" + seed, e);
      }
    }
  }

  /** One memtable. */
  private final class Round {
    private final Random random;
    private final Partitioner partitioner;
    private final boolean clustered;
    private final int largestValue;
    private final Memtable memtable;
    private final MemtableModel model = new MemtableModel();
    private final List<MemtableSnapshot> snapshots = new ArrayList<>();
    private final List<MemtableModel> models = new ArrayList<>();
    private final MemoryBudget budget = leaks.memory();

    Round(long seed) {
      random = new Random(new SplittableRandom(seed).nextLong());
      partitioner = random.nextBoolean() ? Partitioner.MURMUR3 : Partitioner.BYTE_ORDERED;
      clustered = random.nextInt(4) > 0;
      largestValue = random.nextBoolean() ? 12 : 1500;
      memtable =
          new Memtable(
              clustered ? Changes.CLUSTERED : Changes.PLAIN,
              1 << random.nextInt(4),
              budget,
              64 << random.nextInt(10));
    }

    void run() throws IOException {
      PartitionUpdate update = new PartitionUpdate(memtable.encoding());
      try (MemtableReader reader = memtable.reader()) {
        for (int i = 0; i < CHANGES; i++) {
          Change change = change();
          Changes.encode(change, update);
          if (random.nextBoolean()) {
            memtable.reserve(memtable.shardOf(update.key()), memtable.spaceFor(update));
          }
          memtable.apply(update);
          if (!update.isEmpty()) {
            model.add(change);
          }
          if (random.nextInt(20) == 0) {
            snapshots.add(memtable.snapshot());
            models.add(model.copy());
          }
          read(reader);
          if (random.nextInt(10) == 0) {
            scan();
          }
        }
      }
      for (int i = 0; i < snapshots.size(); i++) {
        try (PartitionCursor scan = memtable.scan(PartitionRange.ALL, snapshots.get(i))) {
          assertThat(MemtableModel.linesOf(scan)).isEqualTo(models.get(i).scan());
        }
      }
      assertThat(memtable.offHeapBytes()).isEqualTo(budget.used());
      spread();
      memtable.release();
      assertThat(budget.used()).isZero();
    }

    private void spread() throws IOException {
      Memtable spread = memtable.spread(1 << random.nextInt(5));
      try (PartitionCursor scan = spread.scan(PartitionRange.ALL)) {
        assertThat(MemtableModel.linesOf(scan)).isEqualTo(model.scan());
      }
      assertThat(spread.isEmpty()).isEqualTo(memtable.isEmpty());
      assertThat(spread.statistics().operations()).isEqualTo(memtable.statistics().operations());
      assertThat(spread.statistics().times().minTimestamp())
          .isGreaterThanOrEqualTo(memtable.statistics().times().minTimestamp());
      long own = spread.offHeapBytes();
      assertThat(own + memtable.offHeapBytes()).isEqualTo(budget.used());
      spread.release();
    }

    /** Ordered ones begin alike, and some are the beginning of others. */
    private PartitionKey key(int keys) {
      int number = random.nextInt(keys);
      byte[] bytes = new byte[partitioner == Partitioner.MURMUR3 ? 4 : 6 + number];
      bytes[bytes.length - 1] = (byte) (number % 3);
      bytes[0] = partitioner == Partitioner.MURMUR3 ? (byte) number : 7;
      return Changes.key(partitioner, bytes);
    }

    private void read(MemtableReader reader) throws IOException {
      PartitionKey key = key(KEYS + 1);
      List<List<Bound>> slices = slices();
      List<Slice> encoded = new ArrayList<>();
      for (List<Bound> slice : slices) {
        encoded.add(
            clustered ? Changes.slice(slice.get(0), slice.get(1)) : Slice.all(memtable.encoding()));
      }
      boolean reversed = random.nextBoolean();
      boolean found;
      MemtableModel expected = model;
      if (snapshots.isEmpty() || random.nextBoolean()) {
        found = reader.seek(key, encoded, reversed);
      } else {
        int index = random.nextInt(snapshots.size());
        expected = models.get(index);
        found = reader.seek(key, encoded, reversed, snapshots.get(index));
      }
      List<String> lines = expected.read(key, slices, reversed);
      assertThat(found).isEqualTo(!lines.isEmpty());
      assertThat(MemtableModel.linesOf(reader))
          .as("%s of %s, reversed %s", encoded, key, reversed)
          .isEqualTo(lines);
    }

    private List<List<Bound>> slices() {
      if (!clustered || random.nextInt(4) == 0) {
        return random.nextInt(8) == 0
            ? List.of()
            : List.of(List.of(MemtableModel.BOTTOM, MemtableModel.TOP));
      }
      TreeMap<Integer, Bound> bounds = new TreeMap<>();
      for (int i = 2 * random.nextInt(4); i >= 0; i--) {
        Bound bound = bound();
        bounds.put(bound.position(), bound);
      }
      List<List<Bound>> slices = new ArrayList<>();
      List<Bound> sorted = new ArrayList<>(bounds.values());
      for (int i = 0; i + 1 < sorted.size(); i += 2) {
        slices.add(List.of(sorted.get(i), sorted.get(i + 1)));
      }
      return slices;
    }

    private Bound bound() {
      int[] values = new int[random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(2)];
      for (int i = 0; i < values.length; i++) {
        values[i] = random.nextInt(i == 0 ? FIRSTS : SECONDS);
      }
      return new Bound(values, random.nextBoolean());
    }

    private void scan() throws IOException {
      TreeSet<PartitionKey> keys = new TreeSet<>();
      keys.add(key(KEYS));
      keys.add(key(KEYS));
      @Nullable PartitionKey from = random.nextBoolean() ? keys.first() : null;
      @Nullable PartitionKey to = random.nextBoolean() ? keys.last() : null;
      PartitionRange range = new PartitionRange(from, to);
      try (PartitionCursor scan = memtable.scan(range)) {
        assertThat(MemtableModel.linesOf(scan)).isEqualTo(model.scan(range));
      }
    }

    private Change change() {
      PartitionKey key = key(KEYS);
      long deletedAt = random.nextInt(15) == 0 ? timestamp() : DeletionTime.NO_TIMESTAMP;
      List<Range> ranges = new ArrayList<>();
      if (clustered && random.nextInt(2) == 0) {
        for (List<Bound> slice : slices()) {
          ranges.add(new Range(slice.get(0), slice.get(1), timestamp()));
        }
      }
      TreeMap<Integer, RowChange> rows = new TreeMap<>();
      for (int i = random.nextInt(clustered ? 5 : 2); i > 0; i--) {
        int place =
            clustered
                ? MemtableModel.rowPlace(random.nextInt(FIRSTS), random.nextInt(SECONDS))
                : MemtableModel.rowPlace(0, 0);
        rows.put(place, row(place));
      }
      if (random.nextInt(5) == 0) {
        rows.put(MemtableModel.STATIC, row(MemtableModel.STATIC));
      }
      rows.values().removeIf(row -> row.cells().isEmpty() && isEmpty(row));
      return new Change(key, deletedAt, ranges, List.copyOf(rows.values()));
    }

    private boolean isEmpty(RowChange row) {
      return row.liveAt() == DeletionTime.NO_TIMESTAMP
          && row.deletedAt() == DeletionTime.NO_TIMESTAMP
          && row.mapDeletedAt() == DeletionTime.NO_TIMESTAMP;
    }

    /** With cells that are newer than the row's own deletions, as writers make them. */
    private RowChange row(int place) {
      boolean isStatic = place == MemtableModel.STATIC;
      long deletedAt =
          random.nextInt(6) == 0 && !isStatic ? timestamp() : DeletionTime.NO_TIMESTAMP;
      long least = Math.max(0, deletedAt);
      long mapDeletedAt =
          random.nextInt(6) == 0 && !isStatic
              ? least + 1 + random.nextInt(20)
              : DeletionTime.NO_TIMESTAMP;
      long liveAt = random.nextInt(3) == 0 && !isStatic ? later(least) : DeletionTime.NO_TIMESTAMP;
      List<Cell> cells = new ArrayList<>();
      if (random.nextBoolean()) {
        cells.add(new Cell(-1, later(least), value()));
      }
      if (!isStatic && random.nextBoolean()) {
        TreeSet<Integer> paths = new TreeSet<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
          paths.add(random.nextInt(40));
        }
        for (int path : paths) {
          cells.add(new Cell(path, later(Math.max(least, mapDeletedAt)), value()));
        }
      }
      return new RowChange(place, liveAt, deletedAt, mapDeletedAt, cells);
    }

    private byte[] value() {
      byte[] value = new byte[random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(largestValue)];
      random.nextBytes(value);
      return value;
    }

    private long timestamp() {
      return 1L + random.nextInt(60);
    }

    private long later(long than) {
      return than + 1 + random.nextInt(40);
    }
  }
}
