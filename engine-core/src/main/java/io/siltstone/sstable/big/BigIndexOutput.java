package io.siltstone.sstable.big;

import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.io.WriteIntent;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.index.IndexOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes {@code Index.db}, and {@code Summary.db} when it is complete. */
public final class BigIndexOutput implements IndexOutput {
  private final IndexWriter index;
  private final IndexSummary.Builder summary;
  private final Directory directory;
  private final @Nullable String summaryName;
  private final WriteIntent intent;

  /**
   * @param index taken over
   * @param summary without samples, taken over
   * @param summaryName of {@code Summary.db}, which must not exist; null if it is not to be written
   */
  public BigIndexOutput(
      IndexWriter index,
      IndexSummary.Builder summary,
      Directory directory,
      @Nullable String summaryName,
      WriteIntent intent) {
    this.index = index;
    this.summary = summary;
    this.directory = directory;
    this.summaryName = summaryName;
    this.intent = intent;
  }

  @Override
  public void startPartition(long dataPosition) throws IOException {
    index.startPartition(dataPosition);
  }

  @Override
  public void add(Unfiltered unfiltered, long from, long to) throws IOException {
    index.add(unfiltered, from, to);
  }

  @Override
  public boolean isBetweenBlocks() {
    return index.isBetweenBlocks();
  }

  @Override
  public boolean endBlocks(long length) throws IOException {
    return index.endBlocks();
  }

  @Override
  public void addEntry(PartitionKey key, long hash, long dataPosition) throws IOException {
    summary.add(key, index.addEntry(key, dataPosition));
  }

  @Override
  public void addEntryWithBlocks(PartitionKey key, long hash, Head head) throws IOException {
    summary.add(
        key,
        index.addEntryWithBlocks(
            key, head.dataPosition(), head.length(), head.timestamp(), head.localTime()));
  }

  @Override
  public void finish(PartitionKey firstKey, PartitionKey lastKey) throws IOException {
    index.finish();
    if (summaryName == null) {
      return;
    }
    try (IndexSummary built = summary.build(firstKey, lastKey)) {
      built.write(directory, summaryName, intent);
    }
  }

  @Override
  public void close() throws IOException {
    try (index) {
      summary.close();
    }
  }
}
