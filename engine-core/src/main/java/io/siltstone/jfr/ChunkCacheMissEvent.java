package io.siltstone.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A point read had to fetch a chunk from its file. */
@Name("siltstone.ChunkCacheMiss")
@Label("Chunk Cache Miss")
@Description("A chunk was not in the cache: it was read from the file, checked and decompressed")
@Category("Siltstone")
@StackTrace(false)
public final class ChunkCacheMissEvent extends Event {
  @Label("File")
  @Description("Path of the data file")
  public @Nullable String path;

  @Label("Position")
  @Description("Where the chunk begins in the uncompressed data")
  @DataAmount
  public long position;

  @Label("Length")
  @Description("Uncompressed bytes of the chunk")
  @DataAmount
  public int length;

  @Label("Bytes Read")
  @Description("Bytes of the chunk as stored")
  @DataAmount
  public long bytesRead;

  @Label("Kept")
  @Description("Whether the cache keeps it: it had memory left, or the chunk was missed before")
  public boolean isKept;
}
