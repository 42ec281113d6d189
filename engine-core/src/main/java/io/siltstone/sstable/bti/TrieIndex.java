package io.siltstone.sstable.bti;

import io.siltstone.cache.KeyLookup;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.IndexedTable;
import io.siltstone.sstable.index.KeyIndex;
import io.siltstone.sstable.index.KeySource;
import io.siltstone.sstable.index.PartitionSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open index of the BTI format: {@code Partitions.db} and {@code Rows.db}. Opening reads the
 * footer of the former only; nothing else is kept in memory.
 *
 * <p>Immutable, safe for all threads.
 */
public final class TrieIndex implements KeyIndex {
  private static final int SAMPLE_DISTANCE = 64;

  // Fewer keys of a range are counted, and of a table are walked over, which takes less than a
  // millisecond.
  private static final int MANY_KEYS = 4096;

  private final IndexedTable table;
  private final ReadableFile partitionsFile;
  private final ReadableFile rowsFile;
  private final PartitionTrie partitions;
  private final ComparableClusterings clusterings;

  private TrieIndex(
      IndexedTable table,
      ReadableFile partitionsFile,
      ReadableFile rowsFile,
      PartitionTrie partitions) {
    this.table = table;
    this.partitionsFile = partitionsFile;
    this.rowsFile = rowsFile;
    this.partitions = partitions;
    this.clusterings = new ComparableClusterings(table.encoding().header().clusteringTypes());
  }

  /**
   * Opens the index.
   *
   * @param components the components that exist
   * @throws CorruptSSTableException if a file is missing, or the footer contradicts itself
   */
  public static TrieIndex open(IndexedTable table, Set<Component> components) throws IOException {
    for (Component component : table.descriptor().version().indexComponents()) {
      if (!components.contains(component)) {
        throw table.corrupt(component, CorruptFileException.WHOLE_FILE, "the file is missing");
      }
    }
    ReadableFile partitions = open(table, Component.PARTITIONS);
    ReadableFile rows = null;
    try {
      rows = open(table, Component.ROWS);
      PartitionTrie trie =
          PartitionTrie.open(partitions, Component.PARTITIONS, table.partitioner());
      if (trie.count() == 0) {
        throw table.corrupt(Component.PARTITIONS, CorruptFileException.WHOLE_FILE, "has no keys");
      }
      return new TrieIndex(table, partitions, rows, trie);
    } catch (Throwable e) {
      try (partitions) {
        if (rows != null) {
          rows.close();
        }
        throw e;
      }
    }
  }

  private static ReadableFile open(IndexedTable table, Component component) throws IOException {
    return table.directory().open(table.name(component), ReadIntent.INDEX);
  }

  @Override
  public PartitionKey firstKey() {
    return partitions.firstKey();
  }

  @Override
  public PartitionKey lastKey() {
    return partitions.lastKey();
  }

  @Override
  public long memoryBytes() {
    return 0;
  }

  @Override
  public long length() {
    return partitionsFile.length();
  }

  /** Returns the number of keys. */
  public long count() {
    return partitions.count();
  }

  @Override
  public TrieLookup lookup(KeyLookup known, KeySource keys, FileReads reads) {
    return new TrieLookup(
        table, new PartitionTrieCursor(partitions, reads), rows(reads), keys, known);
  }

  private RowTrieCursor rows(FileReads reads) {
    return new RowTrieCursor(rowsFile, Component.ROWS, clusterings, reads);
  }

  @Override
  public TrieEntries entries(KeySource keys) {
    FileReads reads = new FileReads();
    return new TrieEntries(
        table.partitioner(), new PartitionTrieCursor(partitions, reads), rows(reads), keys);
  }

  @Override
  public TrieBlocks blocks(FileReads reads) {
    return new TrieBlocks(rows(reads));
  }

  @Override
  public @Nullable PartitionKey sampleBefore(PartitionKey key, KeySource keys) throws IOException {
    // The entries are used after the source is: they do not close it.
    TrieEntries entries = entries(keys);
    if (!entries.seekBefore(key, SAMPLE_DISTANCE)) {
      return null;
    }
    PartitionKey found = entries.key();
    return found.compareTo(key) < 0 ? copy(found) : null;
  }

  private static PartitionKey copy(PartitionKey key) {
    return PartitionKey.of(key.toByteArray(), key.token());
  }

  @Override
  public List<PartitionSample> samples(int most, KeySource keys) throws IOException {
    int wanted = (int) Math.min(most, partitions.count());
    return table.partitioner() == Partitioner.MURMUR3 && partitions.count() > MANY_KEYS
        ? samplesByToken(wanted, keys)
        : samplesByWalk(wanted, keys);
  }

  private List<PartitionSample> samplesByWalk(int wanted, KeySource keys) throws IOException {
    List<PartitionSample> samples = new ArrayList<>();
    TrieEntries entries = entries(keys);
    long next = 0;
    for (long i = 0; samples.size() < wanted && entries.next(); i++) {
      if (i == next) {
        samples.add(new PartitionSample(copy(entries.key()), entries.dataPosition()));
        next = samples.size() * partitions.count() / wanted;
      }
    }
    return samples;
  }

  /** Many keys are spread evenly over the tokens, so that the keys between need not be passed. */
  private List<PartitionSample> samplesByToken(int wanted, KeySource keys) throws IOException {
    List<PartitionSample> samples = new ArrayList<>();
    TrieEntries entries = entries(keys);
    double first = firstKey().token();
    double step = (lastKey().token() - first) / wanted;
    long before = -1;
    for (int i = 0; i < wanted; i++) {
      boolean isThere = true;
      if (i == 0) {
        isThere = entries.next();
      } else {
        entries.seek(PartitionKey.of(new byte[0], (long) (first + i * step)));
        isThere = entries.next();
      }
      if (isThere && entries.dataPosition() > before) {
        before = entries.dataPosition();
        samples.add(new PartitionSample(copy(entries.key()), before));
      }
    }
    return samples;
  }

  @Override
  public long estimatedKeys(
      @Nullable PartitionKey from, @Nullable PartitionKey to, long all, double share) {
    double estimate = all * share;
    return estimate >= MANY_KEYS ? Math.round(estimate) : -1;
  }

  @Override
  public void close() throws IOException {
    try (partitionsFile) {
      rowsFile.close();
    }
  }
}
