package io.siltstone.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A memtable was written to an SSTable, or that failed. */
@Name("siltstone.Flush")
@Label("Memtable Flush")
@Description("A memtable was written to an SSTable")
public final class FlushEvent extends TableEvent {
  @Label("Memtable Data")
  @Description("Data in the memtable")
  @DataAmount
  public long memtableBytes;

  @Label("Bytes Written")
  @Description("Length of the data files written")
  @DataAmount
  public long bytesWritten;

  @Label("SSTables")
  @Description("SSTables written: 0 if nothing was left to write")
  public int sstables;

  /** Null if it did not fail. */
  @Label("Failure")
  @Description("Why it failed, if it did")
  public @Nullable String failure;
}
