package io.siltstone.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What was ever written of one partition. */
final class ModelPartition {
  private record RangeDeletion(Rows rows, long timestamp) {}

  private final List<Object> key;
  private final ModelRow staticRow = new ModelRow();
  private final NavigableMap<List<Object>, ModelRow> rows;
  private final List<RangeDeletion> ranges = new ArrayList<>();
  private long deletedAt = Long.MIN_VALUE;
  private long newest = Long.MIN_VALUE;

  /**
   * @param order of clusterings
   */
  ModelPartition(List<Object> key, Comparator<List<Object>> order) {
    this.key = key;
    this.rows = new TreeMap<>(order);
  }

  List<Object> key() {
    return key;
  }

  void wrote(long timestamp) {
    newest = Math.max(newest, timestamp);
  }

  /** The greatest timestamp that was ever written, {@link Long#MIN_VALUE} for none. */
  long newest() {
    return newest;
  }

  void delete(long timestamp) {
    deletedAt = Math.max(deletedAt, timestamp);
  }

  void delete(Rows range, long timestamp) {
    ranges.add(new RangeDeletion(range, timestamp));
  }

  ModelRow staticRow() {
    return staticRow;
  }

  ModelRow row(List<Object> clustering) {
    return rows.computeIfAbsent(clustering, at -> new ModelRow());
  }

  /** By clustering, in order. */
  NavigableMap<List<Object>, ModelRow> rows() {
    return rows;
  }

  /** Until when static columns are covered by the partition's deletion. */
  long staticCoveredUntil() {
    return deletedAt;
  }

  /** Until when a row is covered by deletions of the partition and of ranges. */
  long coveredUntil(List<Object> clustering) {
    return ranges.stream()
        .filter(range -> range.rows().contains(clustering))
        .mapToLong(RangeDeletion::timestamp)
        .reduce(deletedAt, Math::max);
  }
}
