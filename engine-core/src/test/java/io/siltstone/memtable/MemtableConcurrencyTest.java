package io.siltstone.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Writers of all shards beside readers and scans. Each update sets all rows of a partition to one
 * number, so that a reader who sees two numbers has seen half an update.
 */
class MemtableConcurrencyTest {
  private static final int UPDATES = 4_000 * Integer.getInteger("siltstone.scale", 1);
  private static final int WRITERS = 2;
  private static final int READERS = 3;
  private static final int PARTITIONS = 40;
  private static final int ROWS = 4;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget budget = leaks.memory();

  @Test
  void updatesAreSeenWholly() throws Exception {
    run(Arena.SLAB_BYTES, 16);
  }

  @Test
  void updatesAreSeenWhollyInTinySlabs() throws Exception {
    run(64, 2);
  }

  private void run(int slabBytes, int shards) throws Exception {
    Memtable memtable = new Memtable(Changes.CLUSTERED, shards, budget, slabBytes);
    List<Object> locks = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      locks.add(new Object());
    }
    AtomicInteger numbers = new AtomicInteger();
    AtomicInteger writing = new AtomicInteger(WRITERS);
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + READERS + 1);
    try {
      List<Future<Long>> results = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int seed = i;
        results.add(
            threads.submit(
                () -> {
                  try {
                    return write(memtable, locks, numbers, new Random(seed));
                  } finally {
                    writing.decrementAndGet();
                  }
                }));
      }
      for (int i = 0; i < READERS; i++) {
        int seed = i;
        Callable<Long> read = () -> read(memtable, writing, new Random(seed));
        results.add(threads.submit(read));
      }
      Callable<Long> scan = () -> scan(memtable, writing);
      results.add(threads.submit(scan));
      for (Future<Long> result : results) {
        assertThat(result.get()).as("partitions written or read").isPositive();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(memtable.statistics().partitions()).isEqualTo(PARTITIONS);
    assertThat(memtable.statistics().rows()).isEqualTo(PARTITIONS * (ROWS + 1L));
    memtable.release();
  }

  private static long write(
      Memtable memtable, List<Object> locks, AtomicInteger numbers, Random random)
      throws IOException {
    PartitionUpdate update = new PartitionUpdate(Changes.CLUSTERED);
    UnfilteredEncoder encoder = new UnfilteredEncoder(Changes.CLUSTERED);
    for (int i = 0; i < UPDATES; i++) {
      PartitionKey key = Changes.key(random.nextInt(PARTITIONS));
      // Numbers are timestamps too: the greatest wins, whatever the order.
      int number = numbers.incrementAndGet();
      byte[] value = new byte[Integer.BYTES + random.nextInt(3) * 300];
      BigEndian.putInt(value, 0, number);
      update.begin(key);
      encoder.beginStaticRow();
      addCell(encoder, number, value);
      update.add(encoder);
      for (int row = 0; row < ROWS; row++) {
        encoder.beginRow();
        encoder.clustering(Changes.row(row, 3));
        addCell(encoder, number, value);
        update.add(encoder);
      }
      int shard = memtable.shardOf(key);
      synchronized (locks.get(shard)) {
        memtable.apply(update);
      }
    }
    return UPDATES;
  }

  private static void addCell(UnfilteredEncoder encoder, int number, byte[] value) {
    encoder.column(0);
    encoder.cell(number, 0, DeletionTime.NO_DELETION_TIME, value, 0, 0, value, 0, value.length);
    encoder.finish(0);
  }

  private static long read(Memtable memtable, AtomicInteger writing, Random random)
      throws IOException {
    List<Slice> everything = List.of(Slice.all(Changes.CLUSTERED));
    int[] newest = new int[PARTITIONS];
    long found = 0;
    try (MemtableReader reader = memtable.reader()) {
      boolean last;
      do {
        last = writing.get() == 0;
        for (int i = 0; i < 100; i++) {
          int key = random.nextInt(PARTITIONS);
          if (reader.seek(Changes.key(key), everything, random.nextBoolean())) {
            assertThat(reader.nextPartition()).isTrue();
            int number = numberOf(reader);
            assertThat(number).as("what was seen stays").isGreaterThanOrEqualTo(newest[key]);
            newest[key] = number;
            found++;
          } else {
            assertThat(newest[key]).isZero();
          }
        }
      } while (!last);
    }
    return found;
  }

  private static long scan(Memtable memtable, AtomicInteger writing) throws IOException {
    long found = 0;
    boolean last;
    do {
      last = writing.get() == 0;
      MemtableSnapshot snapshot = memtable.snapshot();
      List<Integer> first = numbers(memtable, snapshot);
      assertThat(numbers(memtable, snapshot)).as("a snapshot stays").isEqualTo(first);
      found += first.size();
    } while (!last);
    return found;
  }

  private static List<Integer> numbers(Memtable memtable, MemtableSnapshot snapshot)
      throws IOException {
    List<Integer> numbers = new ArrayList<>();
    try (PartitionCursor scan = memtable.scan(PartitionRange.ALL, snapshot)) {
      while (scan.nextPartition()) {
        numbers.add(numberOf(scan));
      }
    }
    return numbers;
  }

  private static int numberOf(PartitionCursor cursor) throws IOException {
    int number = 0;
    int rows = 0;
    while (cursor.nextUnfiltered()) {
      Unfiltered row = cursor.unfiltered();
      assertThat(row.nextColumn()).isTrue();
      assertThat(row.nextCell()).isTrue();
      int value = BigEndian.getInt(row.bytes(), row.valueOffset());
      assertThat(row.cellTimestamp()).isEqualTo(value);
      assertThat(rows == 0 ? value : number).as("rows of one update").isEqualTo(value);
      number = value;
      rows++;
    }
    assertThat(rows).isEqualTo(ROWS + 1);
    return number;
  }
}
