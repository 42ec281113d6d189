package io.siltstone.sstable.big;

import io.siltstone.cache.KeyLookup;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.ByteSource;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.index.IndexedTable;
import io.siltstone.sstable.index.KeyIndex;
import io.siltstone.sstable.index.KeySource;
import io.siltstone.sstable.index.PartitionSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open index of the BIG format: {@code Index.db}, and its summary in memory.
 *
 * <p>Immutable, safe for all threads; takes file and summary over.
 */
public final class BigIndex implements KeyIndex {
  private static final int READ_BYTES = 4 * 1024;
  private static final int BLOCK_READ_BYTES = 256;
  private static final int SCAN_BYTES = 64 * 1024;

  // An estimate from so many samples is wrong by two of them at most.
  private static final int LEAST_SAMPLES = 32;

  private final IndexedTable table;
  private final ReadableFile file;
  private final IndexSummary summary;

  /** Creates the index of an open {@code Index.db} and its summary. */
  public BigIndex(IndexedTable table, ReadableFile file, IndexSummary summary) {
    this.table = table;
    this.file = file;
    this.summary = summary;
  }

  @Override
  public PartitionKey firstKey() {
    return summary.firstKey();
  }

  @Override
  public PartitionKey lastKey() {
    return summary.lastKey();
  }

  @Override
  public long memoryBytes() {
    return summary.memoryBytes();
  }

  @Override
  public long length() {
    return file.length();
  }

  /** Returns the summary. */
  public IndexSummary summary() {
    return summary;
  }

  @Override
  public BigLookup lookup(KeyLookup known, KeySource keys, FileReads reads) {
    // Index.db has whole keys.
    return new BigLookup(
        table, summary, IndexCursor.over(file, READ_BYTES, false, reads), file.length(), known);
  }

  @Override
  public BigEntries entries(KeySource keys) {
    return new BigEntries(IndexCursor.over(file, SCAN_BYTES, true), summary, table.partitioner());
  }

  @Override
  public IndexBlocks blocks(FileReads reads) {
    return new IndexBlocks(
        window(reads),
        window(reads),
        table.encoding(),
        new ClusteringComparator(table.encoding().header().clusteringTypes()),
        table.descriptor().version());
  }

  private ByteWindow window(FileReads reads) {
    // A binary search reads few bytes at each of many positions.
    int unit = file.isMapped() ? BLOCK_READ_BYTES : READ_BYTES;
    return new ByteWindow(
        ByteSource.of(file, unit, reads), Component.PRIMARY_INDEX, 2 * unit, false);
  }

  @Override
  public @Nullable PartitionKey sampleBefore(PartitionKey key, KeySource keys) {
    return summary.sampleBefore(key);
  }

  @Override
  public List<PartitionSample> samples(int most, KeySource keys) throws IOException {
    List<PartitionSample> samples = new ArrayList<>();
    try (IndexCursor entries = IndexCursor.over(file, READ_BYTES, false)) {
      int count = Math.min(most, summary.size());
      for (int i = 0; i < count; i++) {
        int sample = (int) ((long) i * summary.size() / count);
        byte[] bytes = summary.key(sample);
        PartitionKey key =
            PartitionKey.of(bytes, table.partitioner().token(bytes, 0, bytes.length));
        entries.seek(summary.position(sample));
        if (!entries.next() || !entries.isOf(bytes, 0, bytes.length)) {
          throw table.corrupt(
              Component.PRIMARY_INDEX,
              summary.position(sample),
              "no entry of " + key + ", which is in the summary");
        }
        samples.add(new PartitionSample(key, entries.dataPosition()));
      }
    }
    return samples;
  }

  @Override
  public long estimatedKeys(
      @Nullable PartitionKey from, @Nullable PartitionKey to, long all, double share) {
    int first = from == null ? 0 : Math.max(0, summary.floorIndex(from));
    int last = to == null ? summary.size() - 1 : Math.max(0, summary.floorIndex(to));
    return last - first >= LEAST_SAMPLES
        ? Math.round((double) all * (last - first) / summary.size())
        : -1;
  }

  @Override
  public void close() throws IOException {
    try (file) {
      summary.close();
    }
  }
}
