package io.siltstone.sstable.check;

import org.jspecify.annotations.Nullable;

/**
 * The content that {@code Index.db} must have: the key and the position of each partition, and of
 * each index block its first and last clustering, its beginning, its end and the deletion that is
 * open at its end.
 */
final class BigIndexContent extends IndexContent {
  private long timestamp;
  private int localTime;
  private long headerLength;
  private long blocks;
  private long blocksHash;

  @Override
  void startPartition(
      byte[] bytes,
      int from,
      int length,
      long keyHash,
      long position,
      long deletionTimestamp,
      int deletionLocalTime) {
    hash.partition(keyHash, position);
    timestamp = deletionTimestamp;
    localTime = deletionLocalTime;
    blocks = 0;
  }

  @Override
  void startRows(long offset) {
    headerLength = offset;
  }

  @Override
  void endBlock(Prefix first, Prefix last, @Nullable Prefix next, long start, long end, long open) {
    long result = blocksHash;
    if (blocks == 0) {
      result = RunningHash.mixed(0, headerLength);
      result = RunningHash.mixed(result, RunningHash.ofDeletion(timestamp, localTime));
    }
    result = last.hash(first.hash(result));
    result = RunningHash.mixed(RunningHash.mixed(result, start), end);
    blocksHash = RunningHash.mixed(result, open);
    blocks++;
  }

  @Override
  void endPartition(long endMark) {
    if (blocks > 1) {
      hash.blocks(RunningHash.mixed(blocksHash, blocks));
    }
  }

  @Override
  void end() {}
}
