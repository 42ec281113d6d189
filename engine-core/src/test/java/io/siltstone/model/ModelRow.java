package io.siltstone.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was ever written of one row, of each thing the version that counts. Nothing is taken away
 * when something is deleted: deletions are looked at when the row is read.
 */
final class ModelRow {
  /** The path of the only cell of a column that is no collection. */
  static final String SIMPLE = "";

  /** One column: its cells by their paths, whose order is that of the elements. */
  private static final class Cells {
    private long deletedAt = Long.MIN_VALUE;
    private final Map<Object, ModelCell> byPath = new TreeMap<>();
  }

  private @Nullable ModelLiveness liveness;
  private long deletedAt = Long.MIN_VALUE;
  private final Map<String, Cells> columns = new HashMap<>();

  void insert(ModelLiveness of) {
    liveness = liveness == null ? of : ModelLiveness.winner(liveness, of);
  }

  void delete(long timestamp) {
    deletedAt = Math.max(deletedAt, timestamp);
  }

  /** Deletes all elements of a collection. */
  void deleteElements(String column, long timestamp) {
    Cells cells = columns.computeIfAbsent(column, name -> new Cells());
    cells.deletedAt = Math.max(cells.deletedAt, timestamp);
  }

  void set(String column, Object path, ModelCell cell) {
    columns
        .computeIfAbsent(column, name -> new Cells())
        .byPath
        .merge(path, cell, ModelCell::winner);
  }

  /** Whether the row was inserted, and is there for that. */
  boolean isInserted(long coveredUntil, long now) {
    return liveness != null
        && liveness.timestamp() > Math.max(coveredUntil, deletedAt)
        && liveness.isLive(now);
  }

  /**
   * A cell that has a value.
   *
   * @param path of an element
   */
  record Live(Object path, ModelCell cell) {}

  /**
   * The cells of a column that have a value, in order.
   *
   * @param coveredUntil what is not newer has been deleted with the partition, or a range
   */
  List<Live> live(String column, long coveredUntil, long now) {
    List<Live> live = new ArrayList<>();
    Cells cells = columns.get(column);
    if (cells != null) {
      long gone = Math.max(Math.max(coveredUntil, deletedAt), cells.deletedAt);
      cells.byPath.forEach(
          (path, cell) -> {
            if (cell.timestamp() > gone && cell.isLive(now)) {
              live.add(new Live(path, cell));
            }
          });
    }
    return live;
  }
}
