package io.siltstone.memtable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A memtable as the list of all changes, and what reading it must give, as lines of text: written
 * to be obviously right. Clusterings are two small numbers; a place in a partition is one.
 */
final class MemtableModel {
  /** Place of the static row. */
  static final int STATIC = -1;

  /** Place before all rows, and behind all. */
  static final Bound BOTTOM = new Bound(new int[0], false);

  static final Bound TOP = new Bound(new int[0], true);

  private static final long NEVER = DeletionTime.NO_TIMESTAMP;

  /** A cell; the path of a simple one is negative, a value without bytes is a tombstone. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by its fields where needed.
  record Cell(int path, long timestamp, byte[] value) {
    boolean isOfMap() {
      return path >= 0;
    }

    boolean isTombstone() {
      return value.length == 0;
    }

    /** Ties go to tombstones, then to the greater value. */
    boolean beats(Cell other) {
      if (timestamp != other.timestamp) {
        return timestamp > other.timestamp;
      }
      if (isTombstone() != other.isTombstone()) {
        return isTombstone();
      }
      return Arrays.compareUnsigned(value, other.value) > 0;
    }
  }

  /** A row of a change; its cells in order, newer than its own deletions. */
  record RowChange(int place, long liveAt, long deletedAt, long mapDeletedAt, List<Cell> cells) {}

  /** A bound by the values that it has, before or behind all rows that begin with them. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by position.
  record Bound(int[] values, boolean behind) {
    int position() {
      return switch (values.length) {
        case 0 -> behind ? 1_000_000 : 0;
        case 1 -> 1000 * (values[0] + 1) + (behind ? 999 : 1);
        default -> rowPlace(values[0], values[1]) + (behind ? 1 : -1);
      };
    }
  }

  /** A range tombstone. */
  record Range(Bound start, Bound end, long timestamp) {}

  /** A change of one partition. */
  record Change(PartitionKey key, long deletedAt, List<Range> ranges, List<RowChange> rows) {}

  private final NavigableMap<PartitionKey, List<Change>> partitions = new TreeMap<>();

  static int rowPlace(int first, int second) {
    return 1000 * (first + 1) + 100 + 10 * second;
  }

  static int first(int place) {
    return place / 1000 - 1;
  }

  static int second(int place) {
    return place % 1000 / 10 - 10;
  }

  /** What stands beside the timestamp of a deletion. */
  static long localTime(long timestamp) {
    return 1_700_000_000L + timestamp % 1000;
  }

  void add(Change change) {
    partitions.computeIfAbsent(change.key(), key -> new ArrayList<>()).add(change);
  }

  /** A model that stays as this one is now. */
  MemtableModel copy() {
    MemtableModel copy = new MemtableModel();
    partitions.forEach((key, changes) -> copy.partitions.put(key, new ArrayList<>(changes)));
    return copy;
  }

  /** What a scan of everything shows. */
  List<String> scan() {
    return scan(PartitionRange.ALL);
  }

  /** What a scan of a range of keys shows. */
  List<String> scan(PartitionRange range) {
    PartitionKey from = range.from();
    PartitionKey to = range.to();
    List<String> lines = new ArrayList<>();
    for (PartitionKey key : partitions.keySet()) {
      if ((from == null || key.compareTo(from) >= 0) && (to == null || key.compareTo(to) < 0)) {
        lines.addAll(read(key, List.of(List.of(BOTTOM, TOP)), false));
      }
    }
    return lines;
  }

  /** What reading slices, each a start and an end, of a partition shows; empty if it is missing. */
  List<String> read(PartitionKey key, List<List<Bound>> slices, boolean reversed) {
    List<Change> changes = partitions.get(key);
    if (changes == null) {
      return List.of();
    }
    long deletedAt = changes.stream().mapToLong(Change::deletedAt).max().orElse(NEVER);
    List<String> head = new ArrayList<>();
    head.add(key + deletion(deletedAt));
    Map<Integer, List<RowChange>> rows = new TreeMap<>();
    changes.forEach(
        change ->
            change
                .rows()
                .forEach(
                    row -> rows.computeIfAbsent(row.place(), p -> new ArrayList<>()).add(row)));
    if (rows.containsKey(STATIC)) {
      addRow(STATIC, rows.get(STATIC), deletedAt, head);
    }
    List<String> lines = new ArrayList<>();
    for (List<Bound> slice : slices) {
      int from = slice.get(0).position();
      int to = slice.get(1).position();
      TreeSet<Integer> places = new TreeSet<>(rows.keySet());
      for (Change change : changes) {
        for (Range range : change.ranges()) {
          places.add(range.start().position());
          places.add(range.end().position());
        }
      }
      long open = strongest(changes, from, deletedAt);
      addMarker(from, NEVER, open, lines);
      for (int place : places) {
        if (place <= from || place >= to) {
          continue;
        }
        long behind = strongest(changes, place, deletedAt);
        addMarker(place, open, behind, lines);
        open = behind;
        if (rows.containsKey(place)) {
          addRow(place, rows.get(place), Math.max(deletedAt, open), lines);
        }
      }
      addMarker(to, open, NEVER, lines);
    }
    if (reversed) {
      Collections.reverse(lines);
    }
    head.addAll(lines);
    return head;
  }

  /** Timestamp of the strongest range right behind a place, unless the partition's covers it. */
  private static long strongest(List<Change> changes, int place, long deletedAt) {
    long strongest = NEVER;
    for (Change change : changes) {
      for (Range range : change.ranges()) {
        if (range.start().position() <= place && place < range.end().position()) {
          strongest = Math.max(strongest, range.timestamp());
        }
      }
    }
    return strongest > deletedAt ? strongest : NEVER;
  }

  private static void addMarker(int place, long before, long behind, List<String> lines) {
    if (before != behind) {
      lines.add("marker " + place + " ends" + deletion(before) + " begins" + deletion(behind));
    }
  }

  private static String deletion(long timestamp) {
    return timestamp == NEVER ? "" : " deleted@" + timestamp + "/" + localTime(timestamp);
  }

  private static void addRow(int place, List<RowChange> changes, long covered, List<String> lines) {
    long deletedAt = changes.stream().mapToLong(RowChange::deletedAt).max().orElse(NEVER);
    long liveAt = changes.stream().mapToLong(RowChange::liveAt).max().orElse(NEVER);
    long mapDeletedAt = changes.stream().mapToLong(RowChange::mapDeletedAt).max().orElse(NEVER);
    NavigableMap<Integer, Cell> cells = new TreeMap<>();
    for (RowChange change : changes) {
      for (Cell cell : change.cells()) {
        cells.merge(cell.path(), cell, (one, other) -> other.beats(one) ? other : one);
      }
    }
    StringBuilder text = new StringBuilder();
    long active = covered;
    if (deletedAt > active) {
      active = deletedAt;
      text.append(deletion(deletedAt));
    }
    if (liveAt > active) {
      text.append(" live@").append(liveAt);
    }
    if (mapDeletedAt > active) {
      text.append(" map").append(deletion(mapDeletedAt));
    }
    for (Cell cell : cells.values()) {
      if (cell.timestamp() > (cell.isOfMap() ? Math.max(active, mapDeletedAt) : active)) {
        text.append(text(cell));
      }
    }
    if (text.length() > 0) {
      lines.add("row " + place + text);
    }
  }

  private static String text(Cell cell) {
    return " ["
        + cell.path()
        + "]="
        + (cell.isTombstone() ? "gone" : HexFormat.of().formatHex(cell.value()))
        + "@"
        + cell.timestamp();
  }

  /** What a cursor shows, in the same form. */
  static List<String> linesOf(PartitionCursor cursor) throws IOException {
    List<String> lines = new ArrayList<>();
    while (cursor.nextPartition()) {
      lines.add(cursor.key() + shown(cursor.deletionTimestamp(), cursor.deletionLocalTime()));
      while (cursor.nextUnfiltered()) {
        Unfiltered unfiltered = cursor.unfiltered();
        lines.add(
            unfiltered.isMarker()
                ? marker(unfiltered)
                : "row " + place(unfiltered.clustering()) + content(unfiltered));
      }
    }
    return lines;
  }

  private static String shown(long timestamp, long localTime) {
    return timestamp == NEVER ? "" : " deleted@" + timestamp + "/" + localTime;
  }

  private static String marker(Unfiltered marker) {
    ClusteringKind kind = marker.clustering().kind();
    String ends = shown(marker.deletionTimestamp(), marker.deletionLocalTime());
    String begins = shown(marker.openTimestamp(), marker.openLocalTime());
    return "marker "
        + place(marker.clustering())
        + " ends"
        + (kind.closes() ? ends : "")
        + " begins"
        + (kind.opens() ? begins : "");
  }

  private static int place(Clustering clustering) {
    int[] values = new int[clustering.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = BigEndian.getInt(clustering.bytes(), clustering.valueOffset(i));
    }
    return switch (clustering.kind()) {
      case STATIC_CLUSTERING -> STATIC;
      case CLUSTERING -> values.length == 0 ? rowPlace(0, 0) : rowPlace(values[0], values[1]);
      default -> new Bound(values, clustering.kind().comparedToClustering() > 0).position();
    };
  }

  private static String content(Unfiltered row) throws IOException {
    StringBuilder text = new StringBuilder();
    if (row.hasDeletion()) {
      text.append(shown(row.deletionTimestamp(), row.deletionLocalTime()));
    }
    if (row.hasLiveness()) {
      text.append(" live@").append(row.livenessTimestamp());
    }
    List<String> simple = new ArrayList<>();
    List<String> complex = new ArrayList<>();
    while (row.nextColumn()) {
      if (row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp())) {
        text.append(" map")
            .append(shown(row.complexDeletionTimestamp(), row.complexDeletionLocalTime()));
      }
      while (row.nextCell()) {
        int path = row.isComplex() ? BigEndian.getInt(row.bytes(), row.pathOffset()) : -1;
        byte[] value =
            Arrays.copyOfRange(
                row.bytes(), row.valueOffset(), row.valueOffset() + row.valueLength());
        (row.isComplex() ? complex : simple).add(text(new Cell(path, row.cellTimestamp(), value)));
      }
    }
    simple.forEach(text::append);
    complex.forEach(text::append);
    return text.toString();
  }
}
