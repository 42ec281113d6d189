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
 * A database, or tables that belong to none, as a command sees it. Confined to one thread; closed
 * by its opener.
 */
interface MonitoredDatabase extends Closeable {
  /** Returns the path of the database or directory. */
  String place();

  /** Returns the database; empty for tables that belong to none. */
  Optional<DatabaseMXBean> database();

  /**
   * Returns its compaction; empty unless it is open in a running process that has registered a
   * compaction service.
   */
  Optional<CompactionMXBean> compaction();

  /** Returns the present tables, by name. */
  List<TableMXBean> tables() throws IOException;

  /** Returns the process that has it open; empty for files. */
  Optional<RunningProcess> process();

  /** A JVM that has a database open. */
  record RunningProcess(RuntimeMXBean runtime, MemoryMXBean memory) {}
}
