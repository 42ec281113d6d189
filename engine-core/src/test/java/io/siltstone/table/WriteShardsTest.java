package io.siltstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.event.EngineListener;
import io.siltstone.keyvalue.KeyValueTable;
import io.siltstone.memtable.Memtable;
import io.siltstone.mutation.UpdateWriter;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the number of shards of a memtable: one, until writers have to wait for each other. */
class WriteShardsTest {
  private static final int VALUE_BYTES = 1000;
  private static final int FEW = 10;
  private static final int MANY = 100;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget budget = leaks.memory();
  private final RowEncoding encoding =
      TableEncoding.of(KeyValueTable.schema("ks", "t", TableOptions.DEFAULT)).rows();
  private final WriteClock clock =
      WriteClock.following(InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000L)));
  private final TableMemtables memory =
      new TableMemtables(
          new TableId("ks", "t", new UUID(0, 0)),
          encoding,
          new MemtablePool(1 << 24, budget, GuardedListener.of(new EngineListener() {})),
          (of, isSingle) -> new Memtable(of, isSingle ? 1 : Memtable.DEFAULT_SHARDS, budget));
  private final WriteShards shards = new WriteShards(memory);
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private int written;

  @AfterEach
  void close() {
    other.shutdownNow();
    memory.close();
  }

  private Memtable active() {
    return Objects.requireNonNull(memory.present()).active();
  }

  /** Puts entries with keys that were not put before. */
  private void put(int entries) throws IOException {
    UpdateWriter writer = new UpdateWriter(encoding, Partitioner.BYTE_ORDERED);
    for (int i = 0; i < entries; i++) {
      byte[] key = ByteBuffer.allocate(8).putInt(written++).array();
      ValueChange.put(key, new byte[VALUE_BYTES]).encode(writer, 1, 0, clock);
      int index = Memtable.shardOf(writer.update().key(), Memtable.DEFAULT_SHARDS);
      WriteShard shard = shards.lock(index);
      try {
        active().apply(writer.update());
      } finally {
        shard.unlockAndNotify();
      }
    }
  }

  /** Lets this thread wait for the lock of a shard, which the other thread holds meanwhile. */
  private void waitFor(boolean isWriter) throws Exception {
    ReentrantLock lock = shards.lockOf(0, shards.present());
    Thread waiting = Thread.currentThread();
    CompletableFuture<Void> isHeld = new CompletableFuture<>();
    CompletableFuture<Void> released =
        CompletableFuture.runAsync(
            () -> {
              if (isWriter) {
                boolean unused = shards.all()[0].lockToWrite();
              } else {
                lock.lock();
              }
              isHeld.complete(null);
              while (!lock.hasQueuedThread(waiting)) {
                Thread.onSpinWait();
              }
              lock.unlock();
            },
            other);
    isHeld.get();
    shards.lock(0).unlockAndNotify();
    released.get();
  }

  private void waitForWriters(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      waitFor(true);
    }
  }

  private void requireAll() throws IOException {
    int found = 0;
    try (PartitionCursor scan = active().scan(PartitionRange.ALL)) {
      while (scan.nextPartition()) {
        found++;
      }
    }
    assertThat(found).isEqualTo(written);
  }

  @Test
  void aMemtableOfOneWriterStaysWhole() throws Exception {
    put(MANY);
    assertThat(active().offHeapBytes()).isGreaterThan(TableMemtables.SMALL_BYTES);
    assertThat(active().shards()).isEqualTo(1);
    requireAll();
  }

  @Test
  void writersThatWaitForEachOtherSpreadIt() throws Exception {
    put(MANY);
    waitForWriters(TableMemtables.CONTENDED - 1);
    put(1);
    assertThat(active().shards()).isEqualTo(1);
    waitForWriters(1);
    put(1);
    assertThat(active().shards()).isEqualTo(Memtable.DEFAULT_SHARDS);
    requireAll();
    put(MANY);
    requireAll();
  }

  @Test
  void aSmallMemtableStaysWholeUntilItHasGrown() throws Exception {
    put(FEW);
    waitForWriters(TableMemtables.CONTENDED);
    put(FEW);
    assertThat(active().shards()).isEqualTo(1);
    put(MANY);
    assertThat(active().shards()).isEqualTo(Memtable.DEFAULT_SHARDS);
    requireAll();
  }

  @Test
  void aSnapshotThatAWriterWaitsForIsNoWriter() throws Exception {
    put(MANY);
    for (int i = 0; i < 2 * TableMemtables.CONTENDED; i++) {
      waitFor(false);
    }
    put(1);
    assertThat(active().shards()).isEqualTo(1);
  }

  @Test
  void theNextMemtableHasAsManyShardsAsTheLastOneNeeded() throws Exception {
    put(MANY);
    waitForWriters(TableMemtables.CONTENDED);
    put(1);
    seal();
    assertThat(active().shards()).isEqualTo(Memtable.DEFAULT_SHARDS);
    put(MANY);
    seal();
    assertThat(active().shards()).isEqualTo(1);
  }

  private void seal() {
    shards.lockAll();
    try {
      memory.seal(CommitLogPosition.NONE, encoding);
    } finally {
      shards.unlockAll();
    }
  }

  @Test
  void theLocksInUseExcludeEveryWriter() throws Exception {
    assertThat(held()).isEqualTo(1);
    put(MANY);
    waitForWriters(TableMemtables.CONTENDED);
    put(1);
    assertThat(held()).isEqualTo(Memtable.DEFAULT_SHARDS);
  }

  private int held() throws Exception {
    int count = shards.lockWriters();
    try {
      int refused = 0;
      for (int i = 0; i < Memtable.DEFAULT_SHARDS; i++) {
        ReentrantLock lock = shards.lockOf(i, shards.present());
        refused += other.submit(() -> lock.tryLock()).get() ? 0 : 1;
      }
      assertThat(refused).isEqualTo(Memtable.DEFAULT_SHARDS);
    } finally {
      shards.unlockWriters(count);
    }
    return count;
  }
}
