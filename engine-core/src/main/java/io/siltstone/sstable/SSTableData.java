package io.siltstone.sstable;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.offheap.MemoryBudget;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The data file of an open SSTable, which is opened with the SSTable, or when it is first needed if
 * the facts about it are known without it. Safe for all threads.
 */
final class SSTableData implements Closeable {
  private final LateOpened<DataParts> parts;
  private final DataFacts facts;
  private final boolean hasChecksums;
  private final MemoryBudget budget;

  /** Takes over an open file. */
  SSTableData(DataParts open, MemoryBudget budget) {
    this.parts = LateOpened.of(open);
    this.facts = DataFacts.of(open.file());
    this.hasChecksums = open.file().hasChecksums();
    this.budget = budget;
  }

  /**
   * @param opener opens the file when it is first needed
   */
  SSTableData(
      LateOpened.Opener<DataParts> opener,
      DataFacts facts,
      boolean hasChecksums,
      MemoryBudget budget) {
    this.parts = LateOpened.by(opener);
    this.facts = facts;
    this.hasChecksums = hasChecksums;
    this.budget = budget;
  }

  /** Returns the open file, and opens it if it is not open yet. */
  DataParts open() throws IOException {
    return parts.get();
  }

  /** Opens the file if it is not open yet. */
  void require() throws IOException {
    parts.require();
  }

  /** Returns the facts by which another opening need not open the file. */
  DataFacts facts() {
    return facts;
  }

  /** Returns the uncompressed length in bytes. */
  long length() {
    return facts.length();
  }

  /** Returns the compression of the data. */
  CompressionOptions compression() {
    return facts.compression();
  }

  /** Returns the length of the file in bytes. */
  long onDiskLength() {
    return facts.fileBytes();
  }

  /** Returns whether its chunks have checksums. */
  boolean hasChecksums() {
    return hasChecksums;
  }

  /** Returns the budget of its off-heap memory. */
  MemoryBudget budget() {
    return budget;
  }

  /** Returns the off-heap bytes of the chunk offsets; 0 if the file is not open. */
  long offsetsOffHeapBytes() {
    @Nullable DataParts open = parts.ifOpen();
    return open == null ? 0 : open.file().offsetsOffHeapBytes();
  }

  @Override
  public void close() throws IOException {
    parts.close();
  }
}
