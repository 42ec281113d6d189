package io.siltstone.sstable;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cache.KeyLookup;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/**
 * Looks up a key that passes the bloom filter: in the key cache, or in the summary and then in the
 * index entries between two samples.
 *
 * <p>Confined to one thread; the caller that opens it closes it. Allocates nothing.
 */
final class PartitionLookup implements Closeable {
  private final SSTable table;
  private final IndexCursor entries;
  private final KeyLookup known;
  private final long[] hash = new long[2];
  private final PartitionKey indexed = new PartitionKey();
  private final PartitionKey before = new PartitionKey();
  // Whether the current position is from the key cache rather than from an index entry.
  private boolean recalled;

  PartitionLookup(SSTable table, IndexCursor entries, KeyLookup known) {
    this.table = table;
    this.entries = entries;
    this.known = known;
  }

  /**
   * Returns whether the key cache has a position for the key; {@link #dataPosition()} then returns
   * it, and the caller has to check it.
   *
   * @param h1 first half of the key's hash
   * @param h2 second half of it
   */
  boolean recall(long h1, long h2) throws IOException {
    recalled = false;
    if (!known.find(h1, h2)) {
      return false;
    }
    if (!known.isOfEntry()) {
      recalled = true;
      return true;
    }
    try {
      entries.seek(known.position());
      return entries.next();
    } catch (CorruptSSTableException e) {
      // The position belongs to another SSTable, whose key has the same tag; or there is damage
      // that a search will find again.
      return false;
    }
  }

  /** Adds the current position to the key cache, for the key of this hash. */
  void remember(long h1, long h2) {
    if (entries.size() == 0) {
      known.addPartition(h1, h2, entries.dataPosition(), dataEnd() - entries.dataPosition());
    } else {
      known.addEntry(h1, h2, entries.position());
    }
  }

  /**
   * Searches the index for a key that passes the filter; returns whether it was found and this is
   * now at its entry.
   */
  boolean find(PartitionKey key) throws IOException {
    recalled = false;
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
    // This is rare because of the filter, so there is time for a check. Index and summary have no
    // checksum.
    if (seekCeiling(key) && indexed.compareTo(key) == 0) {
      throw summaryCorrupt("leads to the wrong place of the index, " + from + ", for " + key);
    }
    return false;
  }

  /**
   * Moves to the first entry whose key is at or after {@code key}. Checks as far as possible
   * without the data that it is the first: the entries are in order from a sample of the summary
   * on, and the two keys around {@code key} pass the filter.
   *
   * @return false if all keys are before
   */
  boolean seekCeiling(PartitionKey key) throws IOException {
    recalled = false;
    IndexSummary summary = table.summary();
    int sample = Math.max(0, summary.floorIndex(key));
    long positionBefore = -1;
    entries.seek(summary.position(sample));
    for (boolean isFirst = true; entries.next(); isFirst = false) {
      entries.wrapKey(indexed, table.partitioner(), hash);
      if (isFirst && !Arrays.equals(indexed.toByteArray(), summary.key(sample))) {
        throw summaryCorrupt("has another key than the index at " + entries.position());
      }
      if (!isFirst
          && (indexed.compareTo(before) <= 0 || entries.dataPosition() <= positionBefore)) {
        throw table.indexCorrupt(
            entries.position(),
            indexed
                + " at "
                + entries.dataPosition()
                + " of the data follows "
                + before
                + " at "
                + positionBefore);
      }
      if (indexed.compareTo(key) >= 0) {
        checkInFilter(indexed);
        if (!isFirst) {
          checkInFilter(before);
        }
        return true;
      }
      before.copyFrom(indexed);
      positionBefore = entries.dataPosition();
    }
    checkInFilter(before);
    return false;
  }

  private void checkInFilter(PartitionKey key) throws IOException {
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    if (!table.filter().mightContain(hash[0], hash[1])) {
      throw table.indexCorrupt(
          entries.position(), key + " is in the index, and by the filter not in the table");
    }
  }

  private CorruptSSTableException summaryCorrupt(String reason) {
    return new CorruptSSTableException(
        table.directory().path() + "/" + table.descriptor().fileName(Component.SUMMARY),
        Component.SUMMARY,
        CorruptFileException.WHOLE_FILE,
        reason);
  }

  /**
   * Returns the key of the current entry, after {@link #seekCeiling}; valid until the next move.
   */
  PartitionKey key() {
    return indexed;
  }

  /** Returns the position of the partition in the uncompressed data file. */
  long dataPosition() {
    return recalled ? known.position() : entries.dataPosition();
  }

  /**
   * Returns the position after the partition in the uncompressed data file, or a little more;
   * {@link Long#MAX_VALUE} if it is not known, or if the partition has index blocks. It comes from
   * the index, and can be wrong as it has no checksum.
   */
  long dataEnd() {
    if (recalled) {
      long length = known.length();
      return length == KeyLookup.UNKNOWN ? Long.MAX_VALUE : known.position() + length;
    }
    return entries.size() == 0 ? entries.nextDataPosition(table.dataLength()) : Long.MAX_VALUE;
  }

  /** Returns the position of the entry in the index file. */
  long entryPosition() {
    return entries.position();
  }

  /** Moves {@code blocks} to the partition. */
  void openBlocks(IndexBlocks blocks) throws IOException {
    if (recalled) {
      blocks.openNone();
    } else {
      blocks.open(entries);
    }
  }

  @Override
  public void close() throws IOException {
    known.close();
    entries.close();
  }
}
