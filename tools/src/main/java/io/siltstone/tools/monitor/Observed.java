package io.siltstone.tools.monitor;

import io.siltstone.jmx.CompactionMXBean;
import io.siltstone.jmx.DatabaseMXBean;
import io.siltstone.jmx.TableMXBean;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.MemoryMXBean;
import java.lang.management.RuntimeMXBean;
import java.util.List;
import java.util.Optional;

/**
 * A database, or tables without one, that is looked at. Confined to one thread; closed by its
 * opener.
 */
interface Observed extends Closeable {
  /** Where it is. */
  String place();

  /** The database; empty for tables that belong to none. */
  Optional<DatabaseMXBean> database();

  /** Its compaction; empty unless it is of a running process that told of it. */
  Optional<CompactionMXBean> compaction();

  /** The tables there are now, by name. */
  List<TableMXBean> tables() throws IOException;

  /** The process that has it open; empty for files. */
  Optional<RunningProcess> process();

  /** A JVM that has a database open. */
  record RunningProcess(RuntimeMXBean runtime, MemoryMXBean memory) {}
}
