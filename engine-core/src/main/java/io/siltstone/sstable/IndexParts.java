package io.siltstone.sstable;

import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.index.KeyIndex;
import java.io.Closeable;
import java.io.IOException;

/** The components by which partitions are found; the caller that takes them over closes them. */
record IndexParts(KeyIndex index, BloomFilter filter) implements Closeable {

  @Override
  public void close() throws IOException {
    try (index) {
      filter.close();
    }
  }
}
