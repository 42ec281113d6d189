package io.siltstone.sstable.big;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cache.KeyLookup;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.sstable.index.IndexedTable;
import io.siltstone.sstable.index.PartitionLookup;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A lookup of keys in the key cache, or in the summary and then in the index entries between two
 * samples. Confined to one thread; the caller that opens it closes it. Allocates nothing.
 */
final class BigLookup implements PartitionLookup {
  private final IndexedTable table;
  private final IndexSummary summary;
  private final IndexCursor entries;
  private final long indexLength;
  private final KeyLookup known;
  private final long[] hash = new long[2];
  private final PartitionKey indexed = new PartitionKey();
  private final PartitionKey before = new PartitionKey();
  // Whether the current position is from the key cache rather than from an index entry.
  private boolean recalled;

  BigLookup(
      IndexedTable table,
      IndexSummary summary,
      IndexCursor entries,
      long indexLength,
      KeyLookup known) {
    this.table = table;
    this.summary = summary;
    this.entries = entries;
    this.indexLength = indexLength;
    this.known = known;
  }

  @Override
  public boolean recall(long h1, long h2) throws IOException {
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

  @Override
  public void remember(long h1, long h2) {
    if (entries.size() == 0) {
      known.addPartition(h1, h2, entries.dataPosition(), dataEnd() - entries.dataPosition());
    } else {
      known.addEntry(h1, h2, entries.position());
    }
  }

  @Override
  public boolean find(PartitionKey key, long h2) throws IOException {
    recalled = false;
    int sample = summary.floorIndex(key);
    if (sample < 0) {
      return false;
    }
    long from = summary.position(sample);
    long to = sample + 1 < summary.size() ? summary.position(sample + 1) : indexLength;
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

  @Override
  public void refute(PartitionKey sought, @Nullable PartitionKey there)
      throws CorruptSSTableException {
    throw indexCorrupt(sought + " is said to be at " + dataPosition() + " of the data, and is not");
  }

  private CorruptSSTableException indexCorrupt(String reason) {
    return table.corrupt(Component.PRIMARY_INDEX, entries.position(), reason);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The entries are in order from a sample of the summary on, and the two keys around {@code
   * key} pass the filter.
   */
  @Override
  public boolean seekCeiling(PartitionKey key) throws IOException {
    recalled = false;
    int sample = Math.max(0, summary.floorIndex(key));
    long positionBefore = -1;
    entries.seek(summary.position(sample));
    for (boolean isFirst = true; entries.next(); isFirst = false) {
      entries.wrapKey(indexed, table.partitioner(), hash);
      if (isFirst && !summary.hasKey(sample, indexed)) {
        throw summaryCorrupt("has another key than the index at " + entries.position());
      }
      if (!isFirst
          && (indexed.compareTo(before) <= 0 || entries.dataPosition() <= positionBefore)) {
        throw indexCorrupt(
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
      throw indexCorrupt(key + " is in the index, and by the filter not in the table");
    }
  }

  private CorruptSSTableException summaryCorrupt(String reason) {
    return table.corrupt(Component.SUMMARY, CorruptFileException.WHOLE_FILE, reason);
  }

  @Override
  public PartitionKey key() {
    return indexed;
  }

  @Override
  public long dataPosition() {
    return recalled ? known.position() : entries.dataPosition();
  }

  @Override
  public long dataEnd() {
    if (recalled) {
      long length = known.length();
      return length == KeyLookup.UNKNOWN ? Long.MAX_VALUE : known.position() + length;
    }
    return entries.size() == 0 ? entries.nextDataPosition(table.dataLength()) : Long.MAX_VALUE;
  }

  @Override
  public long entryPosition() {
    return entries.position();
  }

  /** Moves blocks, which must be {@link IndexBlocks}, to those of the partition. */
  @Override
  public void openBlocks(BlockIndex blocks) throws IOException {
    if (recalled) {
      blocks.openNone();
    } else {
      ((IndexBlocks) blocks).open(entries);
    }
  }

  @Override
  public void close() throws IOException {
    known.close();
    entries.close();
  }
}
