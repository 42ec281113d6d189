package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PartitionReadersTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final Directory directory = leaks.watch(new MemoryDirectory());

  /** Its one key is its number. */
  private SSTable table(int number) throws IOException {
    return table(number, 100);
  }

  private SSTable table(int number, int valueBytes) throws IOException {
    SimpleTable table = new SimpleTable(FormatVersion.OA);
    table.partition(SimpleTable.key((byte) number), table.row(number, valueBytes));
    Descriptor descriptor = Descriptor.of(FormatVersion.OA, number);
    ModelTables.write(
        table.model(),
        directory,
        descriptor,
        SSTableWriterOptions.builder().expectedPartitions(1).build(),
        memory);
    return SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, memory);
  }

  @Test
  void aReaderAtRestIsTheNextOneOfItsTable() throws IOException {
    try (SSTable one = table(1);
        SSTable two = table(2);
        PartitionReaders readers = new PartitionReaders(5)) {
      PartitionReader first = readers.acquire(one);
      PartitionReader second = readers.acquire(one);
      assertThat(second).isNotSameAs(first);
      assertThat(first.seek(SimpleTable.key((byte) 1))).isTrue();
      readers.release(first);
      assertThat(first.nextPartition()).as("a reader at rest is empty").isFalse();
      assertThat(first.nextUnfiltered()).isFalse();
      PartitionReader ofTwo = readers.acquire(two);
      assertThat(ofTwo).isNotSameAs(first);
      assertThat(ofTwo.table()).isSameAs(two);
      assertThat(readers.acquire(one)).isSameAs(first);
      readers.release(second);
      readers.release(first);
      readers.release(ofTwo);
      assertThat(readers.size()).isEqualTo(3);
      readers.evict(one);
      assertThat(readers.size()).isEqualTo(1);
      assertThatThrownBy(() -> first.seek(SimpleTable.key((byte) 1)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(readers.acquire(two)).isSameAs(ofTwo);
      readers.release(ofTwo);
    }
  }

  @Test
  void aReaderAtRestHoldsNoLargeRow() throws Exception {
    try (SSTable one = table(1, 2 << 20);
        PartitionReaders readers = new PartitionReaders(5)) {
      PartitionReader reader = readers.acquire(one);
      assertThat(reader.seek(one.firstKey())).isTrue();
      assertThat(reader.nextPartition()).isTrue();
      assertThat(reader.nextUnfiltered()).isTrue();
      WeakReference<byte[]> row = new WeakReference<>(reader.unfiltered().bytes());
      readers.release(reader);
      for (int i = 0; i < 100 && row.get() != null; i++) {
        System.gc();
        Thread.sleep(10);
      }
      assertThat(row.get()).isNull();
      assertThat(readers.acquire(one)).isSameAs(reader);
      assertThat(reader.seek(one.firstKey())).isTrue();
      assertThat(reader.nextPartition()).isTrue();
      assertThat(reader.nextUnfiltered()).isTrue();
      assertThat(reader.unfiltered().bytes().length).isGreaterThan(2 << 20);
      readers.release(reader);
    }
  }

  @Test
  void noMoreRestThanThereArePlaces() throws IOException {
    try (SSTable one = table(1);
        SSTable two = table(2);
        PartitionReaders readers = new PartitionReaders(3)) {
      List<PartitionReader> held = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        held.add(readers.acquire(i % 2 == 0 ? one : two));
      }
      for (PartitionReader reader : held) {
        assertThat(reader.seek(reader.table().firstKey())).isTrue();
        readers.release(reader);
      }
      assertThat(readers.size()).isEqualTo(3);
      // The last to come is there.
      assertThat(readers.acquire(two)).isSameAs(held.get(9));
      readers.release(held.get(9));
    }
  }

  @Test
  void aReaderReleasedAfterCloseIsClosed() throws IOException {
    try (SSTable one = table(1)) {
      PartitionReaders readers = new PartitionReaders(3);
      PartitionReader held = readers.acquire(one);
      readers.close();
      assertThatThrownBy(() -> readers.acquire(one)).isInstanceOf(IllegalStateException.class);
      assertThat(held.seek(one.firstKey())).isTrue();
      readers.release(held);
      assertThat(readers.size()).isZero();
      assertThatThrownBy(() -> held.seek(one.firstKey())).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void noTwoThreadsEverHaveTheSameReader() throws Exception {
    int threads = 4;
    long seed = Long.getLong("siltstone.seed", System.nanoTime());
    int rounds = 2000 * Integer.getInteger("siltstone.scale", 1);
    List<SSTable> tables = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (int i = 1; i <= 5; i++) {
        tables.add(table(i));
      }
      try (PartitionReaders readers = new PartitionReaders(4)) {
        List<Future<?>> results = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
          Random random = new Random(seed + t);
          results.add(
              pool.submit(
                  () -> {
                    for (int i = 0; i < rounds; i++) {
                      SSTable table = tables.get(random.nextInt(tables.size()));
                      PartitionReader reader = readers.acquire(table);
                      assertThat(reader.table()).isSameAs(table);
                      assertThat(ModelTables.read(reader, table.firstKey())).hasSize(2);
                      readers.release(reader);
                    }
                    return null;
                  }));
        }
        for (Future<?> result : results) {
          result.get();
        }
        assertThat(readers.size()).isBetween(1, 4);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    } finally {
      pool.shutdownNow();
      for (SSTable table : tables) {
        table.close();
      }
    }
  }

  @Test
  void thereIsAPlaceAtLeast() {
    assertThatThrownBy(() -> new PartitionReaders(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
  }
}
