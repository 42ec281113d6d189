package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Opens, reads and writes SSTables with this engine, for tests. Confined to one thread. */
final class EngineTables implements AutoCloseable {
  private static final List<String> COMPRESSORS =
      List.of(
          "LZ4Compressor",
          "ZstdCompressor",
          "ZstdDictionaryCompressor",
          "SnappyCompressor",
          "DeflateCompressor",
          "NoopCompressor");

  private static final CompressionDictionary DICTIONARY = dictionary();

  private final MemoryBudget budget = PooledMemory.unlimited();

  /**
   * Returns a dictionary of random words; how much it has in common with tables does not matter.
   */
  private static CompressionDictionary dictionary() {
    Random random = new Random(1);
    List<byte[]> samples = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < 40; word++) {
        text.append(Integer.toString(random.nextInt(100) * 7_919, 36)).append(' ');
      }
      samples.add(text.toString().getBytes(StandardCharsets.US_ASCII));
    }
    return CompressionDictionary.train(
        samples,
        CompressionOptions.fromMap(
            Map.of("class", "ZstdDictionaryCompressor", "training_max_dictionary_size", "2KiB")),
        1_790_000_000_000L);
  }

  SSTable open(Path dataFile) throws IOException {
    return SSTable.open(directory(dataFile), descriptor(dataFile), SSTableOptions.DEFAULT, budget);
  }

  static Descriptor descriptor(Path dataFile) {
    return Descriptor.parse(dataFile.getFileName().toString());
  }

  private static Directory directory(Path dataFile) throws IOException {
    return NioDirectory.open(Objects.requireNonNull(dataFile.toAbsolutePath().getParent()));
  }

  /** Verifies the table, and that scan and reads by key, forward and reversed, agree. */
  String read(Path dataFile) throws IOException {
    try (SSTable table = open(dataFile)) {
      new SSTableVerifier(table).verify(position -> {});
      StringBuilder all = new StringBuilder();
      try (DataCursor scan = table.scan();
          PartitionReader reader = table.reader()) {
        while (scan.nextPartition()) {
          PartitionKey key = PartitionKey.of(scan.key().toByteArray(), scan.key().token());
          CanonicalText scanned = new CanonicalText();
          EngineText.partition(scanned, scan);
          CanonicalText found = new CanonicalText();
          assertThat(reader.seek(key)).as("%s has %s", dataFile, key).isTrue();
          assertThat(reader.nextPartition()).isTrue();
          EngineText.partition(found, reader);
          assertThat(found.toString()).as("%s, %s", dataFile, key).isEqualTo(scanned.toString());
          all.append(scanned);
        }
      }
      return all.toString();
    }
  }

  /** Rewrites all of a table; returns the new data file. */
  Path rewrite(
      Path from,
      Path to,
      FormatVersion version,
      SerializationHeader header,
      SSTableWriterOptions options)
      throws IOException {
    Descriptor target = Descriptor.of(version, 1);
    try (SSTable source = open(from);
        DataCursor cursor = source.scan();
        SSTableWriter writer =
            SSTableWriter.create(
                NioDirectory.open(to), target, header, source.partitioner(), options, budget)) {
      while (cursor.nextPartition()) {
        writer.add(cursor);
      }
      writer.commit();
    }
    return to.resolve(target.fileName(Component.DATA));
  }

  /**
   * Returns a header with the same columns and delta bases that differ everywhere, and TTLs without
   * a base.
   */
  static SerializationHeader onOtherBases(SerializationHeader header) {
    EncodingStats stats = header.stats();
    // Times in the file may be up to 2^31-1 seconds after the least. One after 2038 is read as
    // negative, and may not be less.
    boolean isLate =
        stats.minLocalDeletionTime() > 2_000_000_000L || stats.minLocalDeletionTime() < 0;
    long shift = isLate ? 0 : 100_003;
    return new SerializationHeader(
        header.keyType(),
        header.clusteringTypes(),
        header.staticColumns(),
        header.regularColumns(),
        new EncodingStats(
            stats.minTimestamp() - 1_000_003, stats.minLocalDeletionTime() - shift, 0));
  }

  /** Returns options with any compression, index blocks of any length, good and bad filters. */
  static SSTableWriterOptions randomOptions(Random random, CassandraTable table) {
    CompressionOptions compression =
        random.nextInt(6) == 0
            ? CompressionOptions.NONE
            : CompressionOptions.fromMap(
                Map.of(
                    "class",
                    COMPRESSORS.get(random.nextInt(COMPRESSORS.size())),
                    "chunk_length_in_kb",
                    Integer.toString(4 << random.nextInt(6)),
                    "min_compress_ratio",
                    random.nextBoolean() ? "0.0" : "1.1"));
    if (compression.takesDictionary() && random.nextInt(4) > 0) {
      // It is left out of versions of Cassandra 4 and 5.
      compression = compression.withDictionary(DICTIONARY);
    }
    return SSTableWriterOptions.builder()
        .compression(compression)
        .columnIndexSizeBytes(1024 << random.nextInt(6))
        // Cassandra rebuilds a summary with another interval.
        .minIndexInterval(table.metadata().params.minIndexInterval)
        .bloomFilterFpChance(random.nextInt(4) == 0 ? 1.0 : 0.01)
        .expectedPartitions(1 + random.nextInt(1000))
        .build();
  }

  MemoryBudget budget() {
    return budget;
  }

  @Override
  public void close() {
    budget.close();
  }
}
