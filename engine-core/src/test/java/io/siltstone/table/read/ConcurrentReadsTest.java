package io.siltstone.table.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memtable.Memtable;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Readers beside writes, flushes and compactions. */
class ConcurrentReadsTest {
  private static final int KEYS = 16;
  private static final int READERS = 3;
  private static final int ROUNDS = 75 * Integer.getInteger("siltstone.scale", 1);
  private static final int WRITES_PER_ROUND = 60;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  private static PartitionKey key(int number) {
    byte[] bytes = CqlTypes.INT.encode(number);
    return PartitionKey.of(bytes, Partitioner.MURMUR3.token(bytes, 0, bytes.length));
  }

  /** The value of the one column of the one row. */
  private static int value(PartitionCursor cursor) throws IOException {
    assertThat(cursor.nextUnfiltered()).isTrue();
    Unfiltered row = cursor.unfiltered();
    assertThat(row.nextColumn() && row.nextCell()).isTrue();
    return BigEndian.getInt(row.bytes(), row.valueOffset());
  }

  @Test
  void noReadMissesWhatWasWrittenBefore() throws Exception {
    AtomicIntegerArray written = new AtomicIntegerArray(KEYS);
    AtomicInteger running = new AtomicInteger(1);
    // Held by whoever writes: then a snapshot is of one moment.
    Object writes = new Object();
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try (TestedTable table =
        TestedTable.of(
            "CREATE TABLE ks.t (k int PRIMARY KEY, a int)",
            leaks.watch(new MemoryDirectory()),
            memory)) {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        int number = i;
        readers.add(
            threads.submit(
                () -> {
                  int reads = 0;
                  Random random = new Random(number);
                  while (running.get() > 0 || reads == 0) {
                    if (random.nextInt(20) == 0) {
                      checkSnapshot(table, written, writes);
                    } else {
                      checkRead(table, written, random.nextInt(KEYS));
                    }
                    reads++;
                  }
                  return reads;
                }));
      }
      try {
        writeAndFlush(table, written, writes);
      } finally {
        running.set(0);
        for (Future<Integer> reader : readers) {
          assertThat(reader.get()).isPositive();
        }
      }
    } finally {
      threads.shutdown();
      assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void whatIsFlushedBeforeWhatIsOlderIsNotSeenWithoutThat() throws IOException {
    try (TestedTable table =
        TestedTable.of(
            "CREATE TABLE ks.t (k int PRIMARY KEY, a int, b int)",
            leaks.watch(new MemoryDirectory()),
            memory)) {
      Read.OfPartition read =
          new Read.OfPartition(key(1), List.of(Slice.all(table.encoding())), false);
      for (int i = 0; i < 4; i++) {
        table.disturbNextReader(new FlushOfTheLastOnly(table, 10L * i));
        List<String> seen;
        if (i % 2 == 0) {
          seen = table.read(read, TestedTable.NOW);
        } else {
          try (TableSnapshot snapshot = table.sources().snapshot();
              PartitionCursor cursor = snapshot.open(read)) {
            seen = LiveLines.of(cursor, TestedTable.NOW);
          }
        }
        assertThat(seen).isEqualTo(table.readAll(read, TestedTable.NOW));
      }
      while (!table.memtables().flushing().isEmpty()) {
        table.flush(table.memtables().flushing().get(0));
      }
    }
  }

  /** Writes to one memtable and to the next, and flushes that. */
  private record FlushOfTheLastOnly(TestedTable table, long timestamp) implements Runnable {
    @Override
    public void run() {
      try {
        table.switchMemtable();
        table.write(table.mutation(1).timestamp(timestamp + 1).update().set("a", 1).build());
        table.switchMemtable();
        table.write(table.mutation(1).timestamp(timestamp + 2).update().set("b", 2).build());
        table.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void checkRead(TestedTable table, AtomicIntegerArray written, int k)
      throws IOException {
    int least = written.get(k);
    Read.OfPartition read =
        new Read.OfPartition(key(k), List.of(Slice.all(table.encoding())), false);
    try (PartitionCursor cursor = table.sources().open(read)) {
      if (cursor.nextPartition()) {
        assertThat(value(cursor)).isGreaterThanOrEqualTo(least);
      } else {
        assertThat(least).isZero();
      }
    }
  }

  /** All keys are written to in turn, so that at any moment their values follow each other. */
  private static void checkSnapshot(TestedTable table, AtomicIntegerArray written, Object writes)
      throws IOException {
    int[] expected = new int[KEYS];
    TableSnapshot snapshot;
    synchronized (writes) {
      snapshot = table.sources().snapshot();
      for (int k = 0; k < KEYS; k++) {
        expected[k] = written.get(k);
      }
    }
    try (snapshot) {
      int[] found = new int[KEYS];
      try (PartitionCursor cursor = snapshot.open(new Read.OfRange(PartitionRange.ALL))) {
        while (cursor.nextPartition()) {
          found[BigEndian.getInt(cursor.key().bytes(), cursor.key().offset())] = value(cursor);
        }
      }
      assertThat(found).isEqualTo(expected);
    }
  }

  private static void writeAndFlush(TestedTable table, AtomicIntegerArray written, Object writes)
      throws IOException {
    int next = 1;
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < WRITES_PER_ROUND; i++) {
        int k = next % KEYS;
        synchronized (writes) {
          table.write(table.mutation(k).timestamp(next).insert().set("a", next).build());
          written.set(k, next);
        }
        next++;
      }
      Memtable full = table.switchMemtable();
      if (round % 3 == 2) {
        // One is flushed before the one before it.
        List<Memtable> flushing = table.memtables().flushing();
        for (Memtable memtable : flushing) {
          table.flush(memtable);
        }
        assertThat(flushing).contains(full);
      }
      if (round % 20 == 19) {
        table.compact();
      }
    }
    while (!table.memtables().flushing().isEmpty()) {
      table.flush(table.memtables().flushing().get(0));
    }
  }
}
