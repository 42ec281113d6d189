package io.siltstone.sstable;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.chunk.WriteBehindRing;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.filter.GatheredBits;
import io.siltstone.sstable.index.IndexOutput;
import io.siltstone.sstable.metadata.PartitionCollector;
import java.io.Closeable;
import java.io.IOException;

/**
 * The components of an SSTable that depend on its partitions: index, filter, and statistics of
 * partitions.
 *
 * <p>If partitions are small, these are a third of the work of a writer; therefore partitions are
 * collected in batches, which executors process in order while the writer goes on. Partitions with
 * index blocks are written at once, after those before them. The caller that creates the parts
 * closes them, after this object. Confined to one thread.
 */
final class PartitionComponents implements Closeable {
  private final String indexPath;
  private final IndexOutput index;
  private final BloomFilter filter;
  private final Partitioner partitioner;
  private final GatheredBits filterBits;
  private final PartitionCollector collector = new PartitionCollector();
  private final WriteBehindRing<PartitionBatch> lane;
  private final PartitionKey view = new PartitionKey();
  private final long[] hash = new long[2];
  private final PartitionKey firstKey = new PartitionKey();
  private final PartitionKey lastKey = new PartitionKey();
  private boolean hasKey;
  private long keysHash;
  private PartitionBatch batch;

  PartitionComponents(
      String indexPath,
      IndexOutput index,
      BloomFilter filter,
      Partitioner partitioner,
      MemoryBudget budget,
      PipelineExecutors executors)
      throws IOException {
    this.indexPath = indexPath;
    this.index = index;
    this.filter = filter;
    this.partitioner = partitioner;
    this.lane =
        new WriteBehindRing<>(
            () -> new PartitionBatch(filter, partitioner), this::store, executors.work());
    this.batch = lane.next();
    // Created last: if a later step of the constructor failed, its memory would not be freed.
    this.filterBits = GatheredBits.of(filter, budget);
  }

  /**
   * Adds a partition whose index blocks are not worth writing.
   *
   * @param position its position in the uncompressed data file
   * @param size its length, including the end mark
   */
  void add(PartitionKey key, long position, long size, long cells) throws IOException {
    if (batch.isFull(key)) {
      turn();
    }
    batch.add(key, position, size, cells);
  }

  private void turn() throws IOException {
    lane.handOver(batch.count());
    batch = lane.next();
    batch.clear();
  }

  private void store(PartitionBatch stored) throws IOException {
    if (stored.wrongToken() >= 0) {
      stored.key(stored.wrongToken(), view);
      throw wrongToken(view);
    }
    for (int i = 0; i < stored.count(); i++) {
      stored.key(i, view);
      noteFirst(view);
      index.addEntry(view, stored.hash(i), stored.position(i));
      collector.add(view, stored.size(i), stored.cells(i));
    }
    lastKey.copyFrom(view);
    keysHash += stored.keysHash();
    stored.addTo(filterBits);
  }

  /**
   * Adds the current partition, whose index blocks have ended, after all before it.
   *
   * @param size its length, including the end mark
   */
  void addWithBlocks(PartitionKey key, long size, long cells, IndexOutput.Head head)
      throws IOException {
    drain();
    collector.add(key, size, cells);
    noteFirst(key);
    lastKey.copyFrom(key);
    if (partitioner.token(key.bytes(), key.offset(), key.length(), hash) != key.token()) {
      throw wrongToken(key);
    }
    index.addEntryWithBlocks(key, hash[1], head);
    keysHash += hash[1];
    filter.add(hash[0], hash[1]);
  }

  /** The order of partitions was checked by the tokens that came with their keys. */
  private OutputVerificationException wrongToken(PartitionKey key) {
    return new OutputVerificationException(
        indexPath,
        OutputVerificationException.WHOLE_FILE,
        "key " + key,
        "the token "
            + partitioner.token(key.bytes(), key.offset(), key.length())
            + ", by which its partition is ordered");
  }

  private void noteFirst(PartitionKey key) {
    if (!hasKey) {
      firstKey.copyFrom(key);
      hasKey = true;
    }
  }

  /** Waits until all added partitions have been written, and returns their statistics. */
  PartitionCollector finish() throws IOException {
    drain();
    filterBits.finish();
    collector.keyRange(firstKey, lastKey);
    return collector;
  }

  /** Completes the index, after {@link #finish}. */
  void finishIndex() throws IOException {
    index.finish(firstKey, lastKey);
  }

  /**
   * Returns the sum of the {@link PartitionKey#longHash} of all keys, computed from the bytes
   * written to the index; complete after {@link #finish}.
   */
  long keysHash() {
    return keysHash;
  }

  private void drain() throws IOException {
    if (batch.count() > 0) {
      turn();
    }
    lane.drain();
  }

  /** Drops all that has not been written. */
  @Override
  public void close() {
    lane.close();
    filterBits.close();
  }
}
