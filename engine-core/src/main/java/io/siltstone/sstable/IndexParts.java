package io.siltstone.sstable;

import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.filter.BloomFilter;
import java.io.Closeable;
import java.io.IOException;

/** The components by which partitions are found; the caller that takes them over closes them. */
record IndexParts(ReadableFile index, BloomFilter filter, IndexSummary summary)
    implements Closeable {

  @Override
  public void close() throws IOException {
    try (index) {
      filter.close();
      summary.close();
    }
  }
}
