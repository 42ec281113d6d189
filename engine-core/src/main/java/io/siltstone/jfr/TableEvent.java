package io.siltstone.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** An event of one table. */
@Category("Siltstone")
@StackTrace(false)
abstract class TableEvent extends Event {
  /** Null for none. */
  @Label("Table")
  @Description("Keyspace and name of the table")
  public @Nullable String table;
}
