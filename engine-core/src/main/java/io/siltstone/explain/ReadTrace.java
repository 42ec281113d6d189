package io.siltstone.explain;

import io.siltstone.annotation.Expert;
import io.siltstone.sstable.SSTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The trace of a read: which memtables and SSTables it read, which it skipped and why, and what
 * each has cost. It is passed to a read, and complete when the read is closed.
 *
 * <p>For a query with several reads (pages of more than one partition) it contains all of them.
 * Confined to the thread of the read.
 */
public final class ReadTrace {
  private final List<MemtableRead> memtables = new ArrayList<>();
  private final List<SSTableRead> sstables = new ArrayList<>();
  private long nanos;

  /** Creates an empty trace. */
  public ReadTrace() {}

  /**
   * A memtable that was read.
   *
   * @param isActive whether it takes writes, rather than being flushed
   * @param hasKey whether it has the partition
   */
  public record MemtableRead(boolean isActive, boolean hasKey) {}

  /** Records that the read has read a memtable. */
  @Expert
  public void memtable(boolean isActive, boolean hasKey) {
    memtables.add(new MemtableRead(isActive, hasKey));
  }

  /** Records that the read skipped an SSTable. */
  @Expert
  @SuppressWarnings("exports")
  public void skipped(SSTable table, SSTableRead.Outcome why) {
    sstables.add(new SSTableRead(table.descriptor().toString(), why));
  }

  /** Records that the read looks into an SSTable, and returns the record of what it finds there. */
  @Expert
  @SuppressWarnings("exports")
  public SSTableRead reads(SSTable table) {
    SSTableRead read =
        new SSTableRead(table.descriptor().toString(), SSTableRead.Outcome.FALSE_POSITIVE);
    sstables.add(read);
    return read;
  }

  /** Records that the read was closed. */
  @Expert
  public void end(long took) {
    nanos += took;
  }

  /** Returns the memtables, newest first. */
  public List<MemtableRead> memtables() {
    return List.copyOf(memtables);
  }

  /**
   * Returns the SSTables in the order in which they were read: by greatest timestamp, descending.
   */
  public List<SSTableRead> sstables() {
    return List.copyOf(sstables);
  }

  /** Returns the nanoseconds from the beginning of the read to its end. */
  public long nanos() {
    return nanos;
  }

  /** Returns each memtable and SSTable with what it has cost, and the time of the read. */
  @Override
  public String toString() {
    return memtables + " " + sstables + ", " + nanos + " ns";
  }

  /** Returns the bytes read from data files and indexes. */
  public long bytesFromDisk() {
    return sstables.stream().mapToLong(SSTableRead::bytesFromDisk).sum();
  }
}
