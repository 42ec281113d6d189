package io.siltstone.table.read;

import io.siltstone.event.EngineListener;
import io.siltstone.event.EngineListener.CorruptionFound;
import io.siltstone.io.CorruptFileException;
import io.siltstone.schema.TableId;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reports corrupt files that reads of a table find to a listener: each file once, since every read
 * that reaches the place fails. Safe for all threads.
 */
public final class CorruptionReports {
  private final TableId table;
  private final EngineListener listener;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  public CorruptionReports(TableId table, EngineListener listener) {
    this.table = table;
    this.listener = listener;
  }

  /** Reports the failure of a read, if it is a corruption that was not reported before. */
  void failed(Throwable failure) {
    if (failure instanceof CorruptSSTableException damage) {
      report(damage.path(), damage);
    } else if (failure instanceof CorruptFileException damage) {
      report(damage.path(), damage);
    }
  }

  private void report(String path, Throwable damage) {
    if (told.add(path)) {
      listener.corruptionFound(new CorruptionFound(table, path, damage));
    }
  }
}
