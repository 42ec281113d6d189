package io.siltstone.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A read of a partition took longer than the database's threshold. */
@Name("siltstone.SlowRead")
@Label("Slow Read")
@Description("A read of a partition took longer than the threshold of the database")
@StackTrace(true)
public final class SlowReadEvent extends TableEvent {
  @Label("Key")
  @Description("Partition key")
  public @Nullable String key;

  @Label("Took")
  @Description("From the opening of the read to its closing")
  @Timespan(Timespan.NANOSECONDS)
  public long took;

  @Label("SSTables")
  @Description("SSTables that had the partition")
  public int sstables;

  @Label("False Positives")
  @Description("SSTables that were asked in vain")
  public int falsePositives;

  @Label("Chunks Read")
  @Description("Chunks read from files")
  public long chunksRead;

  @Label("Chunks Cached")
  @Description("Chunks that the cache had")
  public long chunksCached;

  @Label("Bytes Read")
  @Description("Bytes of the chunks read, as stored")
  @DataAmount
  public long bytesRead;
}
