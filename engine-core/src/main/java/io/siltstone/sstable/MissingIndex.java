package io.siltstone.sstable;

import io.siltstone.cache.KeyLookup;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.sstable.index.KeyEntries;
import io.siltstone.sstable.index.KeyIndex;
import io.siltstone.sstable.index.KeySource;
import io.siltstone.sstable.index.PartitionLookup;
import io.siltstone.sstable.index.PartitionSample;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The placeholder of an index that cannot be opened, for a scan of the whole SSTable. Each use of
 * the index itself throws the damage.
 *
 * @param damage why the index cannot be opened
 */
record MissingIndex(PartitionKey firstKey, PartitionKey lastKey, IOException damage)
    implements KeyIndex {

  @Override
  public long memoryBytes() {
    return 0;
  }

  @Override
  public long length() {
    return 0;
  }

  @Override
  public PartitionLookup lookup(KeyLookup known, KeySource keys, FileReads reads)
      throws IOException {
    try (known) {
      keys.close();
    }
    throw damage;
  }

  @Override
  public KeyEntries entries(KeySource keys) throws IOException {
    keys.close();
    throw damage;
  }

  @Override
  public BlockIndex blocks(FileReads reads) throws IOException {
    throw damage;
  }

  @Override
  public @Nullable PartitionKey sampleBefore(PartitionKey key, KeySource keys) throws IOException {
    throw damage;
  }

  @Override
  public List<PartitionSample> samples(int most, KeySource keys) throws IOException {
    throw damage;
  }

  @Override
  public long estimatedKeys(
      @Nullable PartitionKey from, @Nullable PartitionKey to, long all, double share) {
    return -1;
  }

  @Override
  public void close() {
    // There is no file.
  }
}
