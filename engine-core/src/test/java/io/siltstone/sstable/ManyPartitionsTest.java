package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Index, summary, filter and statistics of more partitions than are handed over at once. */
class ManyPartitionsTest {
  private static final Descriptor DESCRIPTOR = Descriptor.of(FormatVersion.OA, 1);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int MOST_KEYS = 6_000;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  /** Small partitions, some with index blocks between them, and keys up to the longest. */
  static TableModel model(long seed) {
    Random random = new Random(seed);
    SimpleTable table = new SimpleTable(FormatVersion.OA);
    int keys = 1 + random.nextInt(MOST_KEYS);
    // Without any, the small ones go on until a batch of them is full.
    int oneWideOf = random.nextBoolean() ? 100 : Integer.MAX_VALUE;
    for (int i = 0; i < keys; i++) {
      boolean isLong = random.nextInt(200) == 0;
      byte[] key = new byte[5 + random.nextInt(isLong ? PartitionKey.MAX_LENGTH - 4 : 20)];
      random.nextBytes(key);
      boolean isWide = random.nextInt(oneWideOf) == 0;
      Item[] rows = new Item[isWide ? 8 : 1 + random.nextInt(2)];
      for (int row = 0; row < rows.length; row++) {
        rows[row] = table.row(row, isWide ? 2000 : random.nextInt(30));
      }
      table.partition(SimpleTable.key(key), rows);
    }
    return table.model();
  }

  private Directory write(TableModel model, @Nullable Executor executor) throws IOException {
    Directory directory = new MemoryDirectory();
    write(model, directory, executor);
    return directory;
  }

  private void write(TableModel model, Directory directory, @Nullable Executor executor)
      throws IOException {
    write(model, directory, executor, model.partitions().size());
  }

  private void write(
      TableModel model, Directory directory, @Nullable Executor executor, long expectedPartitions)
      throws IOException {
    SSTableWriterOptions.Builder options =
        SSTableWriterOptions.builder()
            .expectedPartitions(expectedPartitions)
            .columnIndexSizeBytes(4096);
    if (executor != null) {
      options.executors(new PipelineExecutors(executor, executor));
    }
    ModelTables.write(model, directory, DESCRIPTOR, options.build(), memory);
  }

  private static Map<String, String> contents(Directory directory) throws IOException {
    Map<String, String> contents = new HashMap<>();
    for (String name : directory.files()) {
      try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
        byte[] bytes = new byte[(int) file.length()];
        assertThat(file.read(0, bytes, 0, bytes.length)).isEqualTo(bytes.length);
        long[] hash = new long[2];
        Murmur3Hash.hash(bytes, 0, bytes.length, hash);
        contents.put(name, bytes.length + " bytes, " + hash[0] + " " + hash[1]);
      }
    }
    return contents;
  }

  @Test
  void areTheSameWhoeverWritesThem() throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      for (long seed = 1; seed <= 3L * SCALE; seed++) {
        TableModel model = model(seed);
        Directory alone = write(model, null);
        Map<String, String> expected = contents(alone);
        assertThat(expected).containsKey(DESCRIPTOR.fileName(Component.PRIMARY_INDEX));
        for (Executor executor :
            new Executor[] {
              threads,
              Runnable::run,
              task -> {},
              task -> {
                throw new RejectedExecutionException();
              }
            }) {
          assertThat(contents(write(model, executor))).as("seed %s", seed).isEqualTo(expected);
        }
        requireAllPartitions(model, alone);
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Bits of a large filter are gathered before they are set. */
  @Test
  void areFoundByALargeFilter() throws IOException {
    TableModel model = model(11);
    for (@Nullable Executor executor : new @Nullable Executor[] {null, task -> {}}) {
      Directory directory = new MemoryDirectory();
      write(model, directory, executor, 2_000_000);
      requireAllPartitions(model, directory);
    }
  }

  /** With index blocks and without, behind the writer and by itself. */
  @Test
  void hashOverKeysIsThatOfAllKeys() throws IOException {
    for (long seed = 1; seed <= 3L * SCALE; seed++) {
      TableModel model = model(seed);
      long sum = 0;
      for (Partition partition : model.partitions()) {
        byte[] key = partition.key().toByteArray();
        long[] hash = new long[2];
        Murmur3Hash.hash(key, 0, key.length, hash);
        sum += hash[1];
        assertThat(PartitionKey.of(key, 0).longHash()).isEqualTo(hash[1]);
      }
      Executor late = task -> {};
      for (@Nullable Executor executor : new @Nullable Executor[] {null, late}) {
        SSTableWriterOptions.Builder options =
            SSTableWriterOptions.builder().columnIndexSizeBytes(4096);
        if (executor != null) {
          options.executors(new PipelineExecutors(executor, executor));
        }
        try (SSTableWriter writer =
            SSTableWriter.create(
                new MemoryDirectory(),
                DESCRIPTOR,
                model.header(),
                model.partitioner(),
                options.build(),
                memory)) {
          ModelTables.write(model, writer);
          writer.finish();
          assertThat(writer.keysHash()).as("seed %s", seed).isEqualTo(sum);
        }
      }
    }
  }

  /** Each key is found by filter and index, and nothing else is there. */
  private void requireAllPartitions(TableModel model, Directory directory) throws IOException {
    try (SSTable table = SSTable.open(directory, DESCRIPTOR, SSTableOptions.DEFAULT, memory);
        PartitionReader reader = table.reader();
        DataCursor scan = table.scan()) {
      new SSTableVerifier(table).verify(position -> {});
      for (Partition partition : model.partitions()) {
        assertThat(scan.nextPartition()).isTrue();
        assertThat(scan.key()).isEqualTo(partition.key());
        while (scan.nextUnfiltered()) {
          assertThat(scan.unfiltered().isMarker()).isFalse();
        }
        byte[] key = partition.key().toByteArray();
        long[] hash = new long[2];
        Partitioner.MURMUR3.token(key, 0, key.length, hash);
        assertThat(table.mightContain(partition.key(), hash[0], hash[1])).isTrue();
        assertThat(reader.seek(partition.key())).isTrue();
      }
      assertThat(scan.nextPartition()).isFalse();
      assertThat(table.statistics().stats().partitionSizes().count())
          .isEqualTo(model.partitions().size());
    }
  }

  @Test
  void aFailureOfAnotherThreadReachesTheWriter() throws IOException {
    TableModel model = model(3);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      MemoryDirectory disk = new MemoryDirectory();
      Fault fault = Fault.on(Operation.WRITE).files("*Index*").fails("Input/output error");
      Directory faulty = leaks.watch(new FaultyDirectory(disk, 1, fault));
      assertThatThrownBy(() -> write(model, faulty, threads))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Input/output error");
      assertThat(disk.files()).isEmpty();
    } finally {
      threads.shutdown();
    }
  }
}
