package io.siltstone.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A corrupt file was found. */
@Name("siltstone.Corruption")
@Label("Corruption")
@Description("A damaged file was found")
public final class CorruptionEvent extends TableEvent {
  @Label("File")
  @Description("Path of the file")
  public @Nullable String path;

  @Label("Reason")
  @Description("What is wrong with it, and where")
  public @Nullable String reason;
}
