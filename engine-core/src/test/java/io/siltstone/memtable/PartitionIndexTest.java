package io.siltstone.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.testkit.ForwardingMemory;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The hash index of a memtable shard, from its first layer to its last. */
class PartitionIndexTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final long SEED = Long.getLong("siltstone.seed", 1);
  private static final int PARTITIONS = 30_000 * SCALE;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget budget = leaks.memory();

  private enum Keys {
    MURMUR3(Partitioner.MURMUR3, false),
    BYTE_ORDERED(Partitioner.BYTE_ORDERED, false),
    /** The tokens of all keys are the same. */
    OF_ONE_TOKEN(Partitioner.BYTE_ORDERED, true);

    private final Partitioner partitioner;
    private final boolean hasPrefix;

    Keys(Partitioner partitioner, boolean hasPrefix) {
      this.partitioner = partitioner;
      this.hasPrefix = hasPrefix;
    }

    PartitionKey key(int number) {
      byte[] bytes = new byte[(hasPrefix ? 8 : 0) + Integer.BYTES];
      System.arraycopy(Changes.bytesOf(number), 0, bytes, bytes.length - Integer.BYTES, 4);
      return Changes.key(partitioner, bytes);
    }
  }

  private static void put(Memtable memtable, PartitionKey key) throws IOException {
    PartitionUpdate update = new PartitionUpdate(Changes.PLAIN);
    UnfilteredEncoder encoder = new UnfilteredEncoder(Changes.PLAIN);
    update.begin(key);
    encoder.beginRow();
    encoder.column(Changes.SIMPLE);
    encoder.cell(1, 0, DeletionTime.NO_DELETION_TIME, new byte[1], 0, 0, new byte[1], 0, 1);
    encoder.finish(0);
    update.add(encoder);
    memtable.apply(update);
  }

  @ParameterizedTest
  @EnumSource(Keys.class)
  void noPartitionIsHidden(Keys keys) throws IOException {
    Random random = new Random(SEED);
    Memtable memtable = new Memtable(Changes.PLAIN, 1, budget);
    MemtableSnapshot early = memtable.snapshot();
    int ofEarly = 0;
    try (MemtableReader reader = memtable.reader()) {
      for (int i = 0; i < PARTITIONS; i++) {
        put(memtable, keys.key(2 * i));
        assertThat(reader.seek(keys.key(2 * i))).isTrue();
        int other = random.nextInt(i + 1);
        assertThat(reader.seek(keys.key(2 * other))).isTrue();
        assertThat(reader.seek(keys.key(2 * other + 1))).isFalse();
        if (i == PartitionIndex.LEAST_PARTITIONS / 2) {
          early = memtable.snapshot();
          ofEarly = i + 1;
        }
      }
      // A snapshot of before there was an index.
      for (int i = 0; i < 2 * ofEarly; i++) {
        boolean isThere = reader.seek(keys.key(2 * i), List.of(), false, early);
        assertThat(isThere).isEqualTo(i < ofEarly);
      }
    }
    memtable.release();
  }

  @Test
  void readersFindWhatWasAddedMeanwhile() throws Exception {
    Memtable memtable = new Memtable(Changes.PLAIN, 1, budget);
    AtomicInteger added = new AtomicInteger();
    ExecutorService readers = Executors.newFixedThreadPool(2);
    try {
      CountDownLatch begun = new CountDownLatch(2);
      List<Future<Void>> reads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        long seed = SEED + i;
        reads.add(
            readers.submit(
                () -> {
                  begun.countDown();
                  read(memtable, added, new Random(seed));
                  return null;
                }));
      }
      begun.await();
      for (int i = 0; i < PARTITIONS; i++) {
        put(memtable, Keys.MURMUR3.key(i));
        added.set(i + 1);
      }
      for (Future<Void> each : reads) {
        each.get();
      }
    } finally {
      readers.shutdownNow();
    }
    memtable.release();
  }

  private static void read(Memtable memtable, AtomicInteger added, Random random) {
    try (MemtableReader reader = memtable.reader()) {
      for (int count = 0; count < PARTITIONS; count = added.get()) {
        if (count > 0) {
          // Mostly those that were added last.
          int back = Math.min(count, 1 + random.nextInt(random.nextBoolean() ? 3 : count));
          assertThat(reader.seek(Keys.MURMUR3.key(count - back))).isTrue();
          assertThat(reader.seek(Keys.MURMUR3.key(-count))).isFalse();
        }
      }
    }
  }

  @Test
  void memoryThatIsRefusedHidesNothing() throws IOException {
    Refusing refusing = new Refusing(budget);
    Memtable memtable = new Memtable(Changes.PLAIN, 1, refusing, 4 << 10);
    int partitions = 12 * PartitionIndex.LEAST_PARTITIONS;
    try (MemtableReader reader = memtable.reader()) {
      for (int i = 0; i < partitions; i++) {
        // Nothing of what the partition itself takes is refused.
        memtable.reserve(0, 1000);
        refusing.isRefusing = i % 2 == 1;
        put(memtable, Keys.MURMUR3.key(i));
        refusing.isRefusing = false;
        assertThat(reader.seek(Keys.MURMUR3.key(i))).isTrue();
        assertThat(reader.seek(Keys.MURMUR3.key(i / 2))).isTrue();
        assertThat(reader.seek(Keys.MURMUR3.key(-1 - i))).isFalse();
      }
    }
    assertThat(refusing.refused).isPositive();
    memtable.release();
  }

  private static final class Refusing extends ForwardingMemory {
    private boolean isRefusing;
    private int refused;

    Refusing(MemoryBudget inner) {
      super(inner);
    }

    @Override
    public OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment) {
      if (isRefusing) {
        refused++;
        throw new OutOfBudgetException("refused by the test");
      }
      return super.allocateAligned(kind, bytes, alignment);
    }
  }
}
