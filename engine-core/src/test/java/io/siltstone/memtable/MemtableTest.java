package io.siltstone.memtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.memtable.MemtableModel.Bound;
import io.siltstone.memtable.MemtableModel.Cell;
import io.siltstone.memtable.MemtableModel.Change;
import io.siltstone.memtable.MemtableModel.Range;
import io.siltstone.memtable.MemtableModel.RowChange;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.statistics.MemtableStatistics;
import io.siltstone.testkit.ForwardingMemory;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Memory, lifetime, failures and sizes of memtables. */
class MemtableTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final long NEVER = DeletionTime.NO_TIMESTAMP;
  private static final long NOW = 1_700_000_000_000_000L;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget budget = leaks.memory();
  private final PartitionUpdate update = new PartitionUpdate(Changes.CLUSTERED);
  private final UnfilteredEncoder encoder = new UnfilteredEncoder(Changes.CLUSTERED);

  private static Change insert(int key, int place, int valueBytes) {
    Cell cell = new Cell(-1, NOW, new byte[valueBytes]);
    return new Change(
        Changes.key(key),
        NEVER,
        List.of(),
        List.of(new RowChange(place, NOW, NEVER, NEVER, List.of(cell))));
  }

  private void apply(Memtable memtable, Change change) throws IOException {
    Changes.encode(change, update);
    memtable.apply(update);
  }

  /** Fills the update with one row, without making garbage of it. */
  private void encodeRow(PartitionKey key, int first, int second, byte[] value) {
    update.begin(key);
    encoder.beginRow();
    encoder.clusteringValue(Changes.bytesOf(first), 0, Integer.BYTES);
    encoder.clusteringValue(Changes.bytesOf(second), 0, Integer.BYTES);
    encoder.column(Changes.SIMPLE);
    encoder.cell(NOW, 0, DeletionTime.NO_DELETION_TIME, value, 0, 0, value, 0, value.length);
    encoder.finish(0);
    update.add(encoder);
  }

  @Test
  void idleMemtableHasNoMemoryAndAHardlyWrittenOneLittle() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, Memtable.DEFAULT_SHARDS, budget);
    assertThat(memtable.isEmpty()).isTrue();
    assertThat(budget.used()).isZero();
    try (MemtableReader reader = memtable.reader();
        PartitionCursor scan = memtable.scan(PartitionRange.ALL)) {
      assertThat(reader.seek(Changes.key(1))).isFalse();
      assertThat(reader.nextPartition()).isFalse();
      assertThat(scan.nextPartition()).isFalse();
    }
    apply(memtable, insert(1, MemtableModel.rowPlace(1, 1), 10));
    assertThat(budget.used()).isBetween(512L, 1024L);
    memtable.release();
  }

  @Test
  void readersAndSnapshotsOfBeforeTheFirstUpdateStayValid() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, Memtable.DEFAULT_SHARDS, budget);
    MemtableSnapshot before = memtable.snapshot();
    try (MemtableReader reader = memtable.reader();
        PartitionCursor open = memtable.scan(PartitionRange.ALL)) {
      for (int key = 0; key < 2 * Memtable.DEFAULT_SHARDS; key++) {
        assertThat(reader.seek(Changes.key(key))).isFalse();
        apply(memtable, insert(key, MemtableModel.rowPlace(1, 1), 10));
        assertThat(reader.seek(Changes.key(key))).isTrue();
        assertThat(memtable.minTimestamp(Changes.key(key))).isEqualTo(NOW);
      }
      assertThat(open.nextPartition()).isFalse();
    }
    try (PartitionCursor scan = memtable.scan(PartitionRange.ALL, before)) {
      assertThat(scan.nextPartition()).isFalse();
    }
    memtable.release();
  }

  @Test
  void updateThatChangesNothingTakesNothing() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 1, budget);
    update.begin(Changes.key(1));
    encoder.beginRow();
    encoder.clustering(Changes.row(1, 1));
    encoder.finish(0);
    update.add(encoder);
    memtable.apply(update);
    assertThat(memtable.isEmpty()).isTrue();
    assertThat(memtable.statistics().operations()).isEqualTo(1);
    assertThat(budget.used()).isZero();
    memtable.release();
  }

  @Test
  void smallPartitionTakesAtMost64BytesMoreThanKeyAndRow() throws IOException {
    Memtable memtable = new Memtable(Changes.PLAIN, 16, budget);
    PartitionUpdate plain = new PartitionUpdate(Changes.PLAIN);
    UnfilteredEncoder plainEncoder = new UnfilteredEncoder(Changes.PLAIN);
    int partitions = 100_000;
    long content = 0;
    byte[] value = new byte[40];
    for (int i = 0; i < partitions; i++) {
      plain.begin(Changes.key(i));
      plainEncoder.beginRow();
      plainEncoder.column(Changes.SIMPLE);
      plainEncoder.cell(NOW, 0, DeletionTime.NO_DELETION_TIME, value, 0, 0, value, 0, value.length);
      content += Integer.BYTES + plainEncoder.finish(0).length();
      plain.add(plainEncoder);
      memtable.apply(plain);
    }
    assertThat(memtable.statistics().partitions()).isEqualTo(partitions);
    assertThat(memtable.statistics().rows()).isEqualTo(partitions);
    // A slab of each shard is not yet full.
    long overhead = memtable.offHeapBytes() - content - 16L * Arena.SLAB_BYTES / 2;
    assertThat(overhead / partitions).isLessThanOrEqualTo(64);
    memtable.release();
  }

  @Test
  void failedAllocationLeavesTheMemtableAsItWas() throws IOException {
    for (int failAt = 1; ; failAt++) {
      Refusing refusing = new Refusing(budget, failAt);
      Memtable memtable = new Memtable(Changes.CLUSTERED, 1, refusing, 256);
      MemtableModel model = new MemtableModel();
      Random random = new Random(failAt);
      for (int i = 0; i < 60; i++) {
        Change change = mixedChange(random);
        try {
          apply(memtable, change);
          model.add(change);
        } catch (OutOfBudgetException e) {
          assertThat(refusing.left).as("the refusal is the one that was ordered").isNegative();
        }
        try (PartitionCursor scan = memtable.scan(PartitionRange.ALL)) {
          assertThat(MemtableModel.linesOf(scan)).isEqualTo(model.scan());
        }
      }
      memtable.release();
      assertThat(budget.used()).isZero();
      if (refusing.left > 0) {
        assertThat(failAt).as("allocations that were refused").isGreaterThan(10);
        return;
      }
    }
  }

  private static Change mixedChange(Random random) {
    List<Range> ranges = new ArrayList<>();
    int first = random.nextInt(5);
    if (random.nextInt(3) == 0) {
      ranges.add(
          new Range(
              new Bound(new int[] {first}, false),
              new Bound(new int[] {first + 1}, random.nextBoolean()),
              1 + random.nextInt(50)));
    }
    Cell cell = new Cell(-1, 1 + random.nextInt(50), new byte[1 + random.nextInt(400)]);
    RowChange row =
        new RowChange(
            MemtableModel.rowPlace(first, random.nextInt(4)), NEVER, NEVER, NEVER, List.of(cell));
    return new Change(Changes.key(random.nextInt(2)), NEVER, ranges, List.of(row));
  }

  @Test
  void reservedUpdatesAreNotRefused() throws IOException {
    Refusing refusing = new Refusing(budget, Integer.MAX_VALUE);
    Memtable memtable = new Memtable(Changes.CLUSTERED, 1, refusing, 512);
    Random random = new Random(5);
    MemtableModel model = new MemtableModel();
    for (int round = 0; round < 100; round++) {
      List<Change> batch = new ArrayList<>();
      long space = 0;
      for (int i = random.nextInt(6); i >= 0; i--) {
        Change change = mixedChange(random);
        batch.add(change);
        Changes.encode(change, update);
        space += memtable.spaceFor(update);
      }
      refusing.left = Integer.MAX_VALUE;
      memtable.reserve(0, space);
      refusing.left = 0;
      for (Change change : batch) {
        apply(memtable, change);
        model.add(change);
      }
    }
    try (PartitionCursor scan = memtable.scan(PartitionRange.ALL)) {
      assertThat(MemtableModel.linesOf(scan)).isEqualTo(model.scan());
    }
    memtable.release();
  }

  @Test
  void releasedMemtableCannotBeUsed() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 4, budget);
    Change change = insert(1, MemtableModel.rowPlace(1, 1), 10);
    apply(memtable, change);
    MemtableReader reader = memtable.reader();
    MemtableSnapshot snapshot = memtable.snapshot();
    PartitionCursor scan = memtable.scan(PartitionRange.ALL);
    memtable.release();
    assertThat(reader.seek(change.key())).isTrue();
    assertThat(scan.nextPartition()).isTrue();
    scan.close();
    assertThat(budget.used()).as("a reader holds the memory").isPositive();
    reader.close();
    assertThat(budget.used()).isZero();

    assertThat(memtable.tryReference()).isFalse();
    assertThatThrownBy(() -> memtable.apply(update)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> memtable.spaceFor(update)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> memtable.reserve(0, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(memtable::reader).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(memtable::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> memtable.scan(PartitionRange.ALL, snapshot))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> reader.seek(change.key())).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(reader::nextPartition).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(reader::nextUnfiltered).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(scan::nextPartition).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(scan::nextUnfiltered).isInstanceOf(IllegalStateException.class);
    assertThat(memtable.statistics().rows()).isEqualTo(1);
  }

  @Test
  void aStepOverWhatIsDeletedEndsOnceTheReaderIsBeingClosed() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 1, budget);
    apply(memtable, insert(1, MemtableModel.rowPlace(1, 1), 10));
    apply(memtable, new Change(Changes.key(1), NOW + 1, List.of(), List.of()));
    CancelSignal cancelSignal = CancelSignal.of("it is closed");
    MemtableReader reader = memtable.reader();
    try (reader;
        PartitionCursor scan =
            memtable.scan(PartitionRange.ALL, memtable.snapshot(), cancelSignal)) {
      reader.cancelOn(cancelSignal);
      assertThat(reader.seek(Changes.key(1))).isTrue();
      assertThat(reader.nextPartition()).isTrue();
      assertThat(scan.nextPartition()).isTrue();
      cancelSignal.cancel();
      assertThatThrownBy(reader::nextUnfiltered).hasMessage("it is closed");
      assertThatThrownBy(scan::nextUnfiltered).hasMessage("it is closed");
    }
    try (reader) {
      assertThat(reader.open(memtable)).isTrue();
      assertThat(reader.seek(Changes.key(1))).isTrue();
      assertThat(reader.nextUnfiltered()).isFalse();
    }
    memtable.release();
  }

  @Test
  void aStepOverPartitionsBehindTheSnapshotEndsOnceTheScanIsBeingClosed() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 1, budget);
    Change first = insert(1, MemtableModel.rowPlace(1, 1), 10);
    Change other = insert(2, MemtableModel.rowPlace(1, 1), 10);
    boolean inOrder = first.key().compareTo(other.key()) < 0;
    apply(memtable, inOrder ? first : other);
    MemtableSnapshot snapshot = memtable.snapshot();
    apply(memtable, inOrder ? other : first);
    CancelSignal cancelSignal = CancelSignal.of("it is closed");
    try (PartitionCursor scan = memtable.scan(PartitionRange.ALL, snapshot, cancelSignal)) {
      assertThat(scan.nextPartition()).isTrue();
      cancelSignal.cancel();
      assertThatThrownBy(scan::nextPartition).hasMessage("it is closed");
    }
    memtable.release();
  }

  @Test
  void readerGoesFromOneMemtableToTheNext() throws IOException {
    Memtable one = new Memtable(Changes.CLUSTERED, 2, budget);
    Memtable other = new Memtable(Changes.CLUSTERED, 4, budget);
    apply(one, insert(1, MemtableModel.rowPlace(1, 1), 10));
    apply(other, insert(2, MemtableModel.rowPlace(1, 1), 10));
    try (MemtableReader reader = one.reader()) {
      one.release();
      assertThat(reader.seek(Changes.key(1))).isTrue();
      assertThat(reader.open(other)).isTrue();
      assertThat(one.tryReference()).isFalse();
      assertThat(reader.seek(Changes.key(1))).isFalse();
      assertThat(reader.seek(Changes.key(2))).isTrue();
      assertThat(reader.open(one)).isFalse();
    }
    other.release();
  }

  @Test
  void damagedUpdateIsRefusedAsAWhole() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 1, budget);
    update.begin(Changes.key(1));
    encoder.marker(Changes.bound(ClusteringKind.INCL_START_BOUND, 1), NOW, 1_700_000_000L, 0, 0, 0);
    update.add(encoder);
    assertThatThrownBy(() -> memtable.apply(update))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("without a start or an end");
    encodeRow(Changes.key(1), 1, 1, new byte[20]);
    byte[] bytes = update.bytes();
    bytes[update.from() + update.length() - 21] = 0x1f;
    assertThatThrownBy(() -> memtable.apply(update)).isInstanceOf(IOException.class);
    assertThat(memtable.isEmpty()).isTrue();
    memtable.release();
  }

  @Test
  void updateOfAnotherEncodingIsRefused() {
    Memtable memtable = new Memtable(Changes.PLAIN, 1, budget);
    encodeRow(Changes.key(1), 1, 1, new byte[1]);
    assertThatThrownBy(() -> memtable.apply(update))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("encoding");
    memtable.release();
  }

  @Test
  void oldWritesToOtherPartitionsDoNotCount() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 4, budget);
    assertThat(memtable.minTimestamp(Changes.key(1))).isEqualTo(Long.MAX_VALUE);
    apply(memtable, new Change(Changes.key(1), NOW - 5, List.of(), List.of()));
    assertThat(memtable.minTimestamp(Changes.key(1))).isEqualTo(NOW - 5);
    for (int key = 2; key < 40; key++) {
      assertThat(memtable.minTimestamp(Changes.key(key))).isEqualTo(Long.MAX_VALUE);
    }
    memtable.release();
    assertThat(memtable.minTimestamp(Changes.key(1))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void statisticsTellTheExtremes() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 4, budget);
    assertThat(memtable.statistics().times().minTimestamp()).isEqualTo(Long.MAX_VALUE);
    assertThat(memtable.statistics().times().maxTimestamp()).isEqualTo(Long.MIN_VALUE);
    apply(memtable, insert(1, MemtableModel.rowPlace(1, 1), 10));
    assertThat(memtable.statistics().times().minLocalDeletionTime())
        .isEqualTo(DeletionTime.NO_DELETION_TIME);
    assertThat(memtable.statistics().hasPartitionDeletions()).isFalse();
    assertThat(memtable.statistics().hasRangeTombstones()).isFalse();
    Range range = new Range(MemtableModel.BOTTOM, MemtableModel.TOP, NOW - 5);
    apply(memtable, new Change(Changes.key(2), NOW + 7, List.of(range), List.of()));
    MemtableStatistics statistics = memtable.statistics();
    assertThat(statistics.times().minTimestamp()).isEqualTo(NOW - 5);
    assertThat(statistics.times().maxTimestamp()).isEqualTo(NOW + 7);
    assertThat(statistics.times().minLocalDeletionTime())
        .isEqualTo(MemtableModel.localTime(NOW + 7));
    assertThat(statistics.hasPartitionDeletions()).isTrue();
    assertThat(statistics.hasRangeTombstones()).isTrue();
    assertThat(statistics.partitions()).isEqualTo(2);
    assertThat(statistics.rows()).isEqualTo(1);
    assertThat(statistics.operations()).isEqualTo(2);
    memtable.release();
  }

  @Test
  void manyRangeTombstonesOfAPartitionDoNotMultiply() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 1, budget);
    int count = 10_000 * SCALE;
    PartitionKey key = Changes.key(1);
    for (int i = 0; i < count; i++) {
      int place = (int) (i * 48_271L % count);
      update.begin(key);
      encoder.marker(
          Changes.bound(ClusteringKind.INCL_START_BOUND, place, 1), NOW, 1_700_000_000L, 0, 0, 0);
      update.add(encoder);
      encoder.marker(
          Changes.bound(ClusteringKind.INCL_END_BOUND, place, 3), NOW, 1_700_000_000L, 0, 0, 0);
      update.add(encoder);
      memtable.apply(update);
    }
    assertThat(memtable.offHeapBytes() / count).as("bytes per range").isLessThan(1000);
    try (MemtableReader reader = memtable.reader()) {
      for (boolean reversed : new boolean[] {false, true}) {
        reader.seek(key, List.of(Slice.all(Changes.CLUSTERED)), reversed);
        int markers = 0;
        reader.nextPartition();
        while (reader.nextUnfiltered()) {
          markers++;
        }
        assertThat(markers).isEqualTo(2 * count);
        Slice one = Slice.of(Changes.row(777, 2));
        reader.seek(key, List.of(one), reversed);
        assertThat(MemtableModel.linesOf(reader)).hasSize(3);
      }
    }
    memtable.release();
  }

  @Test
  void widePartitionIsReadBothWays() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 1, budget);
    int count = 25_000 * SCALE;
    PartitionKey key = Changes.key(1);
    byte[] value = new byte[20];
    for (int i = 0; i < count; i++) {
      encodeRow(key, (int) (i * 48_271L % count), 5, value);
      memtable.apply(update);
    }
    try (MemtableReader reader = memtable.reader()) {
      for (boolean reversed : new boolean[] {false, true}) {
        reader.seek(key, List.of(Slice.all(Changes.CLUSTERED)), reversed);
        reader.nextPartition();
        for (int i = 0; i < count; i++) {
          assertThat(reader.nextUnfiltered()).isTrue();
          Clustering place = reader.unfiltered().clustering();
          assertThat(place.value(0)).isEqualTo(Changes.bytesOf(reversed ? count - 1 - i : i));
        }
        assertThat(reader.nextUnfiltered()).isFalse();
      }
    }
    memtable.release();
  }

  @Test
  void growingCollectionIsNotCopiedWithEachElement() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 1, budget);
    int count = 10_000;
    PartitionKey key = Changes.key(1);
    byte[] value = new byte[16];
    for (int i = 0; i < count; i++) {
      update.begin(key);
      encoder.beginRow();
      encoder.clustering(Changes.row(1, 1));
      encoder.column(Changes.MAP);
      byte[] path = Changes.bytesOf((int) (i * 48_271L % count));
      encoder.cell(NOW + i, 0, DeletionTime.NO_DELETION_TIME, path, 0, 4, value, 0, 16);
      encoder.finish(0);
      update.add(encoder);
      memtable.apply(update);
    }
    assertThat(memtable.offHeapBytes()).isLessThan(100L * memtable.statistics().dataBytes() / 2);
    try (MemtableReader reader = memtable.reader()) {
      reader.seek(key);
      reader.nextPartition();
      assertThat(reader.nextUnfiltered()).isTrue();
      assertThat(reader.unfiltered().nextColumn()).isTrue();
      assertThat(reader.unfiltered().cellCount()).isEqualTo(count);
      assertThat(reader.nextUnfiltered()).isFalse();
    }
    memtable.release();
  }

  @Test
  void updateLargerThanASlabIsTaken() throws IOException {
    Memtable memtable = new Memtable(Changes.CLUSTERED, 1, budget);
    byte[] large = new byte[3 << 20];
    new Random(1).nextBytes(large);
    encodeRow(Changes.key(1), 1, 1, large);
    memtable.apply(update);
    encodeRow(Changes.key(1), 1, 2, new byte[5]);
    memtable.apply(update);
    try (MemtableReader reader = memtable.reader()) {
      reader.seek(Changes.key(1));
      reader.nextPartition();
      assertThat(reader.nextUnfiltered()).isTrue();
      assertThat(reader.unfiltered().nextColumn()).isTrue();
      assertThat(reader.unfiltered().nextCell()).isTrue();
      assertThat(reader.unfiltered().bytes()).containsSequence(large);
      assertThat(reader.nextUnfiltered()).isTrue();
      assertThat(reader.nextUnfiltered()).isFalse();
    }
    memtable.release();
  }

  @Test
  void shardsArePowersOfTwo() {
    assertThatThrownBy(() -> new Memtable(Changes.PLAIN, 3, budget))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 shards");
    int[] counts = new int[16];
    for (int i = 0; i < 16_000; i++) {
      counts[Memtable.shardOf(Changes.key(i), 16)]++;
    }
    for (int count : counts) {
      assertThat(count).as("keys of a shard, of 16,000 in 16").isBetween(800, 1200);
    }
  }

  /** Refuses one allocation and all behind it, as many as {@code left} after it was made. */
  private static final class Refusing extends ForwardingMemory {
    private int left;

    Refusing(MemoryBudget inner, int failAt) {
      super(inner);
      this.left = failAt;
    }

    @Override
    public OffHeapBuffer allocate(MemoryKind kind, int bytes) {
      return allocateAligned(kind, bytes, 1);
    }

    @Override
    public OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment) {
      if (left == 0) {
        left = -1;
        throw new OutOfBudgetException("refused by the test");
      }
      left--;
      return super.allocateAligned(kind, bytes, alignment);
    }
  }
}
