package io.siltstone.tools.monitor;

import io.siltstone.jmx.CompactionMXBean;
import io.siltstone.jmx.DatabaseBeans;
import io.siltstone.jmx.DatabaseMXBean;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.StoredSummary;
import io.siltstone.tools.terminal.DamageReporter;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.SSTableFile;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The SSTables in a directory without a schema, such as Cassandra's data directories.
 *
 * @param keys of an encrypted directory
 * @param damage receives each SSTable that cannot be opened
 */
record StoredFiles(
    TableDirectory directory,
    Supplier<MemoryBudget> memory,
    KeyFileOption keys,
    DamageReporter damage)
    implements MonitoredDatabase {
  @Override
  public String place() {
    return directory.path().toString();
  }

  @Override
  public Optional<DatabaseMXBean> database() {
    return Optional.empty();
  }

  @Override
  public Optional<CompactionMXBean> compaction() {
    return Optional.empty();
  }

  @Override
  public List<TableMXBean> tables() throws IOException {
    List<SSTable> opened = new ArrayList<>();
    try {
      for (Path file : directory.dataFiles()) {
        try {
          opened.add(SSTableFile.of(file, keys).open(memory.get()));
        } catch (IOException | UsageException e) {
          damage.skipped(file.toString(), e);
        }
      }
      // There is no schema that has gc_grace_seconds, so the default applies.
      long gcBefore = System.currentTimeMillis() / 1000 - TableOptions.DEFAULT.gcGraceSeconds();
      return List.of(
          DatabaseBeans.ofFiles(
              directory.keyspace(),
              directory.table(),
              null,
              StoredSummary.of(opened, gcBefore),
              CompactionState.IDLE,
              Optional.empty()));
    } finally {
      for (SSTable table : opened) {
        table.close();
      }
    }
  }

  @Override
  public Optional<RunningProcess> process() {
    return Optional.empty();
  }

  @Override
  public void close() {
    // Nothing stays open.
  }
}
