package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.index.BlockIndex;
import io.siltstone.sstable.index.KeyEntries;
import io.siltstone.sstable.index.PartitionLookup;
import io.siltstone.sstable.index.PartitionSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides an SSTable into stretches of few bytes by its index: the partitions into stretches of
 * partitions, and a partition into stretches of rows. Reads of the data only what the index does
 * not have: keys and clusterings with which stretches begin. Partitions are taken from samples of
 * the index; between two samples that have too many bytes between them, its entries are read.
 */
public final class IndexStretches {
  private static final int MOST_SAMPLES = 1 << 13;

  private IndexStretches() {}

  /**
   * A stretch of the rows of a partition.
   *
   * @param first the clustering of its first row or marker, which must not be changed
   * @param bytes its size before compression
   */
  public record Rows(Clustering first, long bytes) {}

  /**
   * Returns where stretches of partitions begin, from the first partition on. A stretch has at most
   * the given number of bytes unless it is a single partition.
   *
   * @param mostBytes uncompressed
   */
  public static List<PartitionSample> ofPartitions(SSTable table, long mostBytes)
      throws IOException {
    int count = (int) Math.min(MOST_SAMPLES, 2 * (table.dataLength() / mostBytes) + 2);
    List<PartitionSample> samples = table.samples(count);
    List<PartitionSample> stretches = new ArrayList<>();
    for (int i = 0; i < samples.size(); i++) {
      PartitionSample sample = samples.get(i);
      boolean isLast = i + 1 == samples.size();
      long end = isLast ? table.dataLength() : samples.get(i + 1).dataPosition();
      stretches.add(sample);
      if (end - sample.dataPosition() > mostBytes) {
        divide(table, sample, end, mostBytes, stretches);
      }
    }
    return stretches;
  }

  /** Adds where stretches begin between a sample and the next one. */
  private static void divide(
      SSTable table, PartitionSample from, long end, long mostBytes, List<PartitionSample> into)
      throws IOException {
    PartitionKey before = new PartitionKey();
    before.copyFrom(from.key());
    long beforeAt = from.dataPosition();
    long last = from.dataPosition();
    try (DataKeys keys = table.keys();
        KeyEntries entries = table.indexEntries()) {
      entries.seek(from.key());
      while (entries.next() && entries.dataPosition() < end) {
        long position = entries.dataPosition();
        if (position > from.dataPosition()) {
          if (position - last > mostBytes && beforeAt > last) {
            into.add(sample(entries, keys, before, beforeAt));
            last = beforeAt;
          }
          if (position - last > mostBytes) {
            // The partition before is a stretch by itself.
            into.add(sample(entries.key(), position));
            last = position;
          }
          if (entries.hasWholeKeys()) {
            before.copyFrom(entries.key());
          }
          beforeAt = position;
        }
      }
      if (end - last > mostBytes && beforeAt > last) {
        into.add(sample(entries, keys, before, beforeAt));
      }
    }
  }

  /** Returns the sample of the entry before the current one, whose key may have to be read. */
  private static PartitionSample sample(
      KeyEntries entries, DataKeys keys, PartitionKey before, long position) throws IOException {
    return sample(entries.hasWholeKeys() ? before : keys.require(position), position);
  }

  private static PartitionSample sample(PartitionKey key, long position) {
    return new PartitionSample(PartitionKey.of(key.toByteArray(), key.token()), position);
  }

  /**
   * Returns stretches of the rows of a partition, from its first row on, by its index blocks. They
   * are about as large as asked for, but not smaller than a block. Empty if the SSTable does not
   * have the partition, or no index of its rows.
   *
   * @param mostBytes uncompressed
   */
  public static List<Rows> ofRows(SSTable table, PartitionKey key, long mostBytes)
      throws IOException {
    List<Rows> stretches = new ArrayList<>();
    if (!table.isInRange(key)) {
      return stretches;
    }
    try (PartitionLookup lookup = table.lookup();
        BlockIndex blocks = table.indexBlocks();
        PartitionReader reader = table.reader()) {
      if (!lookup.seekCeiling(key) || lookup.key().compareTo(key) != 0) {
        return stretches;
      }
      lookup.openBlocks(blocks);
      int count = blocks.count();
      if (count == 0 || (!blocks.hasClusterings() && !reader.seek(key, List.of(), false))) {
        return stretches;
      }
      blocks.toLast();
      long end = blocks.end();
      int step = (int) Math.max(1, Math.min(count, (double) mostBytes * count / end));
      blocks.toFirst();
      boolean isThere = true;
      while (isThere) {
        long offset = blocks.offset();
        Clustering first = new Clustering();
        if (blocks.hasClusterings()) {
          blocks.copyFirst(first);
        } else {
          reader.copyClustering(offset, first);
        }
        isThere = blocks.skip(step);
        stretches.add(new Rows(first, (isThere ? blocks.offset() : end) - offset));
      }
    }
    return stretches;
  }
}
