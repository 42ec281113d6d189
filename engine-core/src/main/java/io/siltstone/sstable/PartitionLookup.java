package io.siltstone.sstable;

import io.siltstone.cursor.PartitionKey;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.Murmur3Hash;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.Closeable;
import java.io.IOException;

/**
 * Finds a key in a table: bloom filter, then summary, then the entries of the index between two
 * samples.
 *
 * <p>Confined to one thread, closed by its opener. Allocates nothing.
 */
final class PartitionLookup implements Closeable {
  private final SSTable table;
  private final IndexCursor entries;
  private final long[] hash = new long[2];
  private final PartitionKey indexed = new PartitionKey();

  PartitionLookup(SSTable table, IndexCursor entries) {
    this.table = table;
    this.entries = entries;
  }

  /** Whether the table has the key; this then stands at its entry. */
  boolean find(PartitionKey key) throws IOException {
    if (key.compareTo(table.firstKey()) < 0 || key.compareTo(table.lastKey()) > 0) {
      return false;
    }
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    if (!table.filter().mightContain(hash[0], hash[1])) {
      return false;
    }
    IndexSummary summary = table.summary();
    int sample = summary.floorIndex(key);
    if (sample < 0) {
      return false;
    }
    long from = summary.position(sample);
    long to = sample + 1 < summary.size() ? summary.position(sample + 1) : table.indexLength();
    if (entries.find(from, to, key.bytes(), key.offset(), key.length())) {
      return true;
    }
    // Rare, thanks to the filter: so there is time to prove that these are the entries between
    // which the key would be. The summary has no checksum.
    checkPlace(key, from, -1);
    if (to < table.indexLength()) {
      checkPlace(key, to, 1);
    }
    return false;
  }

  private void checkPlace(PartitionKey key, long position, int expectedOrder) throws IOException {
    entries.seek(position);
    if (entries.next()) {
      byte[] bytes = entries.keyBytes();
      int offset = entries.keyOffset();
      int length = entries.keyLength();
      long token = table.partitioner().token(bytes, offset, length, hash);
      indexed.wrap(bytes, offset, length, token);
    }
    if (Integer.signum(indexed.compareTo(key)) != expectedOrder) {
      throw new CorruptSSTableException(
          table.directory().path() + "/" + table.descriptor().fileName(Component.SUMMARY),
          Component.SUMMARY,
          CorruptFileException.WHOLE_FILE,
          "leads to the wrong place of the index, " + position + ", for " + key);
    }
  }

  /** Where the partition begins in the uncompressed data file. */
  long dataPosition() {
    return entries.dataPosition();
  }

  /** Where the entry begins in the index file. */
  long entryPosition() {
    return entries.position();
  }

  /** Turns {@code blocks} to the partition. */
  void openBlocks(IndexBlocks blocks) throws IOException {
    blocks.open(entries);
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }
}
