package io.siltstone.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A compaction has ended. */
@Name("siltstone.Compaction")
@Label("Compaction")
@Description("SSTables were merged into others, or that failed")
public final class CompactionEvent extends TableEvent {
  @Label("Job")
  @Description("Identifies the compaction, also in the compaction history")
  public @Nullable String job;

  @Label("Operation")
  @Description("What was asked for, or the strategy that wanted it")
  public @Nullable String operation;

  @Label("Inputs")
  @Description("SSTables read")
  public int inputs;

  @Label("Outputs")
  @Description("SSTables written")
  public int outputs;

  @Label("Bytes Read")
  @Description("Length of the data files read; before the end that of all inputs")
  @DataAmount
  public long bytesRead;

  @Label("Bytes Written")
  @Description("Length of the data files written")
  @DataAmount
  public long bytesWritten;

  @Label("Partitions")
  @Description("Partitions written")
  public long partitions;

  @Label("Rows")
  @Description("Rows written")
  public long rows;

  /** Null if it did not fail. */
  @Label("Failure")
  @Description("Why it failed, or that it was cancelled")
  public @Nullable String failure;
}
