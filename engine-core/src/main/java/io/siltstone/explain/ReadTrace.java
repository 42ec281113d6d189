package io.siltstone.explain;

import io.siltstone.annotation.Expert;
import io.siltstone.sstable.SSTable;
import java.util.ArrayList;
import java.util.List;

/**
 * What a read of a partition did: which memtables and SSTables it looked at, which not and why, and
 * what each has cost. To be given to a read, and to be looked at when that is closed.
 *
 * <p>Of a query with several reads (pages of more than one partition) it has all of them. Confined
 * to the thread of the read.
 */
public final class ReadTrace {
  private final List<MemtableRead> memtables = new ArrayList<>();
  private final List<SSTableRead> sstables = new ArrayList<>();
  private long nanos;

  /** Empty. */
  public ReadTrace() {}

  /**
   * A memtable was looked at.
   *
   * @param isActive whether it takes writes, rather than being flushed
   * @param hasKey whether it has the partition
   */
  public record MemtableRead(boolean isActive, boolean hasKey) {}

  /** The read looked at a memtable. */
  @Expert
  public void memtable(boolean isActive, boolean hasKey) {
    memtables.add(new MemtableRead(isActive, hasKey));
  }

  /** The read left an SSTable out. */
  @Expert
  @SuppressWarnings("exports")
  public void skipped(SSTable table, SSTableRead.Outcome why) {
    sstables.add(new SSTableRead(table.descriptor().toString(), why));
  }

  /** The read looks into an SSTable; what is returned is to be told what comes of it. */
  @Expert
  @SuppressWarnings("exports")
  public SSTableRead reads(SSTable table) {
    SSTableRead read =
        new SSTableRead(table.descriptor().toString(), SSTableRead.Outcome.FALSE_POSITIVE);
    sstables.add(read);
    return read;
  }

  /** The read is closed. */
  @Expert
  public void end(long took) {
    nanos += took;
  }

  /** Memtables, newest first. */
  public List<MemtableRead> memtables() {
    return List.copyOf(memtables);
  }

  /** SSTables in the order in which they were asked: by greatest timestamp, descending. */
  public List<SSTableRead> sstables() {
    return List.copyOf(sstables);
  }

  /** From the beginning of the read to its closing. */
  public long nanos() {
    return nanos;
  }

  /** Bytes read from data files and indexes. */
  public long bytesFromDisk() {
    return sstables.stream().mapToLong(SSTableRead::bytesFromDisk).sum();
  }
}
