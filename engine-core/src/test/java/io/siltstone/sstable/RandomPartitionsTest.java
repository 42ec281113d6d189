package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.Slice;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random tables, read in all ways, are what was written. A run can be repeated with {@code
 * -Dsiltstone.seed=N}, and enlarged with {@code -Dsiltstone.scale=N}.
 */
class RandomPartitionsTest {
  private static final List<String> COMPRESSORS =
      List.of(
          "LZ4Compressor",
          "SnappyCompressor",
          "DeflateCompressor",
          "ZstdCompressor",
          "NoopCompressor");

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  static LongStream seeds(int count) {
    Long one = Long.getLong("siltstone.seed");
    return one == null
        ? LongStream.range(0, (long) count * Integer.getInteger("siltstone.scale", 1))
        : LongStream.of(one);
  }

  @Test
  void everyWayToReadGivesWhatWasWritten() {
    seeds(30)
        .forEach(
            seed -> {
              try {
                check(seed);
              } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
              }
            });
  }

  private void check(long seed) throws IOException {
    Random random = new Random(seed);
    FormatVersion version = RandomPartitions.version(random);
    TableModel model =
        RandomPartitions.of(seed, version, 1 + random.nextInt(20), random.nextInt(300));
    Directory directory = leaks.watch(new MemoryDirectory());
    Descriptor descriptor = Descriptor.of(version, 1);
    ModelTables.write(model, directory, descriptor, options(random), memory);
    SequentialAccess access =
        SequentialAccess.SCAN.withReadAheadBytes(random.nextBoolean() ? 0 : 5000);
    try (SSTable table = SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, memory);
        PartitionReader reader = table.reader()) {
      new SSTableVerifier(table).verify(position -> {});
      assertThat(ModelTables.scan(table, access, PartitionRange.ALL)).isEqualTo(model.scan());
      for (Partition partition : model.partitions()) {
        assertThat(ModelTables.read(reader, partition.key())).isEqualTo(model.read(partition));
        for (int i = 0; i < 10; i++) {
          List<Slice> slices = RandomPartitions.slices(random, model, table.encoding(), partition);
          boolean reversed = random.nextBoolean();
          assertThat(ModelTables.read(reader, partition.key(), slices, reversed))
              .isEqualTo(model.read(partition, slices, reversed));
        }
      }
      for (int i = 0; i < 10; i++) {
        PartitionRange range = range(random, model);
        assertThat(ModelTables.scan(table, access, range)).isEqualTo(model.scan(range));
        byte[] bytes = new byte[random.nextInt(30)];
        random.nextBytes(bytes);
        PartitionKey key =
            PartitionKey.of(bytes, model.partitioner().token(bytes, 0, bytes.length));
        boolean there = model.partitions().stream().anyMatch(p -> p.key().equals(key));
        assertThat(reader.seek(key)).isEqualTo(there);
      }
    }
  }

  static SSTableWriterOptions options(Random random) {
    CompressionOptions compression =
        random.nextInt(4) == 0
            ? CompressionOptions.NONE
            : CompressionOptions.fromMap(
                Map.of(
                    "class",
                    COMPRESSORS.get(random.nextInt(COMPRESSORS.size())),
                    "chunk_length_in_kb",
                    Integer.toString(1 << random.nextInt(7))));
    return SSTableWriterOptions.builder()
        .compression(compression)
        .columnIndexSizeBytes(1024)
        .minIndexInterval(1 + random.nextInt(5))
        .expectedPartitions(20)
        .build();
  }

  private static PartitionRange range(Random random, TableModel model) {
    List<Partition> all = model.partitions();
    if (random.nextBoolean()) {
      long first = random.nextLong();
      long last = random.nextLong();
      return PartitionRange.ofTokens(Math.min(first, last), Math.max(first, last));
    }
    int from = random.nextInt(all.size());
    int to = from + random.nextInt(all.size() - from);
    return new PartitionRange(
        random.nextInt(4) == 0 ? null : all.get(from).key(),
        random.nextInt(4) == 0 ? null : all.get(to).key());
  }
}
