package io.siltstone.explain;

import io.siltstone.annotation.Expert;
import io.siltstone.chunk.ChunkListener;
import io.siltstone.sstable.PartitionReader;
import java.util.ArrayList;
import java.util.List;

/** What a read did with one SSTable. Confined to the thread of the read. */
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

  /** What came of it. */
  public enum Outcome {
    /** It has the partition. */
    READ,
    /** The bloom filter let the key through, and it has not the partition. */
    FALSE_POSITIVE,
    /** The key lies before its first or after its last. */
    KEY_RANGE,
    /** Its bloom filter has not the key. */
    BLOOM_FILTER,
    /** It has no rows and range tombstones where the query asks. */
    CLUSTERING_RANGE,
    /** All that it has is older than a deletion of the partition that was found. */
    OLDER_THAN_DELETION,
    /** All that it has is older than the one row that is asked for, which is complete. */
    ROW_COMPLETE
  }

  /**
   * A chunk of the data that was looked for.
   *
   * @param number from 0 on
   * @param offset where it begins in the data file; -1 of a cached one
   * @param bytes read for it, checksum included; 0 of a cached one
   * @param nanos that fetching and decompressing it took; 0 of a cached one
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

  @Override
  public void fetched(long chunk, long offset, int bytes, long nanos) {
    chunks.add(new ChunkRead(chunk, offset, bytes, nanos));
  }

  @Override
  public void hit(long chunk) {
    chunks.add(new ChunkRead(chunk, -1, 0, 0));
  }

  /** The reader has looked for the key. */
  @Expert
  public void sought(boolean isThere, long nanos) {
    outcome = isThere ? Outcome.READ : Outcome.FALSE_POSITIVE;
    seekNanos = nanos;
  }

  /** The read is over; the reader is about to rest. */
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

  /** Returns what came of it. */
  public Outcome outcome() {
    return outcome;
  }

  /** Returns whether it was looked into, rather than left out. */
  public boolean isSought() {
    return outcome == Outcome.READ || outcome == Outcome.FALSE_POSITIVE;
  }

  /** Returns whether the key cache knew where the partition is. */
  public boolean isFromKeyCache() {
    return isFromKeyCache;
  }

  /** Times that the index file was read. */
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

  /** Returns how often one of them was looked at. */
  public long indexBlocksRead() {
    return indexBlocksRead;
  }

  /** Returns the time until it was known whether it has the partition. */
  public long seekNanos() {
    return seekNanos;
  }

  /**
   * Chunks that were looked for, in order. None if the reader, which rests between reads, still had
   * the bytes.
   */
  public List<ChunkRead> chunks() {
    return List.copyOf(chunks);
  }

  /** Returns the bytes read from the data file and the index. */
  public long bytesFromDisk() {
    return indexBytes + chunks.stream().mapToLong(ChunkRead::bytes).sum();
  }
}
