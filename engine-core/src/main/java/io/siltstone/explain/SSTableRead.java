package io.siltstone.explain;

import io.siltstone.annotation.Expert;
import io.siltstone.chunk.ChunkListener;
import io.siltstone.sstable.PartitionReader;
import java.util.ArrayList;
import java.util.List;

/** The trace of a read in one SSTable. Confined to the thread of the read. */
@SuppressWarnings("exports")
public final class SSTableRead implements ChunkListener {
  private final String name;
  private Outcome outcome;
  private boolean isFromKeyCache;
  private long indexReads;
  private long indexBytes;
  private int indexBlocks;
  private long indexBlocksRead;
  private long seekNanos;
  private final List<ChunkRead> chunks = new ArrayList<>();

  /** The outcome of reading an SSTable. */
  public enum Outcome {
    /** It has the partition. */
    READ,
    /**
     * A false positive: the bloom filter let the key through, but the SSTable does not have the
     * partition.
     */
    FALSE_POSITIVE,
    /** The key is less than its first key or greater than its last. */
    KEY_RANGE,
    /** Its bloom filter does not contain the key. */
    BLOOM_FILTER,
    /** It has no rows or range tombstones in the slices of the query. */
    CLUSTERING_RANGE,
    /** All of its data is older than a deletion of the partition that was found before. */
    OLDER_THAN_DELETION,
    /**
     * All of its data is older than the requested row, which was already complete (early stop of a
     * read).
     */
    ROW_COMPLETE
  }

  /**
   * A chunk of the data file that was read.
   *
   * @param number from 0 on
   * @param offset of the chunk in the data file; -1 for a cached one
   * @param bytes read from the file, checksum included; 0 for a cached one
   * @param nanos taken to read and decompress it; 0 for a cached one
   */
  public record ChunkRead(long number, long offset, int bytes, long nanos) {
    /** Returns whether the chunk cache had it. */
    public boolean isCached() {
      return offset < 0;
    }
  }

  SSTableRead(String name, Outcome outcome) {
    this.name = name;
    this.outcome = outcome;
  }

  @Expert
  @Override
  public void fetched(long chunk, long offset, int bytes, long nanos) {
    chunks.add(new ChunkRead(chunk, offset, bytes, nanos));
  }

  @Expert
  @Override
  public void hit(long chunk) {
    chunks.add(new ChunkRead(chunk, -1, 0, 0));
  }

  /** Records that the reader has searched for the key. */
  @Expert
  public void sought(boolean isThere, long nanos) {
    outcome = isThere ? Outcome.READ : Outcome.FALSE_POSITIVE;
    seekNanos = nanos;
  }

  /** Records the end of the read. */
  @Expert
  @SuppressWarnings("exports")
  public void end(PartitionReader reader) {
    isFromKeyCache = reader.isFromKeyCache();
    indexReads = reader.indexReads().reads();
    indexBytes = reader.indexReads().bytes();
    indexBlocks = reader.indexBlocks();
    indexBlocksRead = reader.indexBlocksRead();
  }

  /** Returns the SSTable's descriptor. */
  public String name() {
    return name;
  }

  /** Returns the outcome. */
  public Outcome outcome() {
    return outcome;
  }

  /** Returns whether it was searched for the key, rather than skipped. */
  public boolean isSought() {
    return outcome == Outcome.READ || outcome == Outcome.FALSE_POSITIVE;
  }

  /** Returns whether the key cache knew where the partition is. */
  public boolean isFromKeyCache() {
    return isFromKeyCache;
  }

  /** Returns the number of reads of the index file. */
  public long indexReads() {
    return indexReads;
  }

  /** Returns the bytes read from the index file. */
  public long indexBytes() {
    return indexBytes;
  }

  /** Returns the index blocks of the partition, 0 if it is too small to have any. */
  public int indexBlocks() {
    return indexBlocks;
  }

  /** Returns how often an index block was read. */
  public long indexBlocksRead() {
    return indexBlocksRead;
  }

  /** Returns the nanoseconds until it was known whether it has the partition. */
  public long seekNanos() {
    return seekNanos;
  }

  /**
   * Returns the chunks that were read, in order. There are none if the reader, which is pooled
   * between reads, still had the bytes.
   */
  public List<ChunkRead> chunks() {
    return List.copyOf(chunks);
  }

  /** Returns the name, the outcome, and the bytes that were read. */
  @Override
  public String toString() {
    return name + ": " + outcome + ", " + bytesFromDisk() + " bytes from disk";
  }

  /** Returns the bytes read from the data file and the index. */
  public long bytesFromDisk() {
    return indexBytes + chunks.stream().mapToLong(ChunkRead::bytes).sum();
  }
}
