package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table as lists of objects, and what reading it must give, as lines of text: written to be
 * obviously right, not to be fast.
 *
 * @param header of the rows
 * @param partitioner that ordered the partitions
 * @param partitions in order
 */
public record TableModel(
    SerializationHeader header, Partitioner partitioner, List<Partition> partitions) {

  /** A cell; the path is empty in simple columns. Compared by its text only. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Cell(byte[] path, long timestamp, int ttl, long localDeletionTime, byte[] value) {
    String text() {
      return "cell "
          + HexFormat.of().formatHex(path)
          + "="
          + HexFormat.of().formatHex(value)
          + "@"
          + timestamp
          + (ttl == DeletionTime.NO_TTL ? "" : " ttl " + ttl)
          + (localDeletionTime == DeletionTime.NO_DELETION_TIME ? "" : " ldt " + localDeletionTime);
    }
  }

  /** A column that is present: its index in the header, its deletion if complex, its cells. */
  public record Column(int index, Deletion deletion, List<Cell> cells) {}

  /** A deletion, or {@link #NONE}. */
  public record Deletion(long timestamp, long localTime) {
    /** No deletion. */
    public static final Deletion NONE =
        new Deletion(DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);

    /** Whether it is none. */
    public boolean isLive() {
      return DeletionTime.isLive(timestamp);
    }

    /** All that it says, nothing for none. */
    public String text() {
      return isLive() ? "" : " deleted@" + timestamp + "/" + localTime;
    }
  }

  /** A row or a marker. */
  public sealed interface Item {
    /** Its place. */
    Clustering clustering();

    /** All that it says. */
    String text();
  }

  /** A row; {@link DeletionTime#NO_TIMESTAMP} as liveness without. */
  public record Row(
      Clustering clustering,
      long liveness,
      int ttl,
      long expiration,
      Deletion deletion,
      List<Column> columns)
      implements Item {
    @Override
    public String text() {
      StringBuilder text = new StringBuilder(place(clustering));
      if (!DeletionTime.isLive(liveness)) {
        text.append(" live@").append(liveness);
        if (ttl != DeletionTime.NO_TTL) {
          text.append(" ttl ").append(ttl).append(" until ").append(expiration);
        }
      }
      text.append(deletion.text());
      for (Column column : columns) {
        text.append(" | ").append(column.index).append(column.deletion.text());
        column.cells.forEach(cell -> text.append(' ').append(cell.text()));
      }
      return text.toString();
    }
  }

  /** A marker; {@code open} is the range that begins, the same as {@code deletion} in a bound. */
  public record Marker(Clustering clustering, Deletion deletion, Deletion open) implements Item {
    @Override
    public String text() {
      return place(clustering)
          + deletion.text()
          + (clustering.kind().isBoundary() ? " then" + open.text() : "");
    }
  }

  /** A partition; items without the static row. */
  public record Partition(
      PartitionKey key, Deletion deletion, @Nullable Row staticRow, List<Item> items) {
    /** Key and deletion. */
    public String head() {
      return key + deletion.text();
    }
  }

  private static String place(Clustering clustering) {
    StringBuilder text = new StringBuilder(clustering.kind().name()).append('(');
    for (int i = 0; i < clustering.size(); i++) {
      text.append(i == 0 ? "" : ",")
          .append(
              clustering.valueLength(i) == Clustering.NULL
                  ? "null"
                  : HexFormat.of().formatHex(clustering.value(i)));
    }
    return text.append(')').toString();
  }

  /** What a full scan shows. */
  public List<String> scan() {
    return scan(PartitionRange.ALL);
  }

  /** What a scan of a range of partitions shows. */
  List<String> scan(PartitionRange range) {
    List<String> lines = new ArrayList<>();
    for (Partition partition : partitions) {
      boolean before = range.from() != null && partition.key.compareTo(range.from()) < 0;
      boolean behind = range.to() != null && partition.key.compareTo(range.to()) >= 0;
      if (!before && !behind) {
        lines.addAll(read(partition));
      }
    }
    return lines;
  }

  /** What reading all of a partition shows. */
  List<String> read(Partition partition) {
    List<String> lines = head(partition);
    partition.items.forEach(item -> lines.add(item.text()));
    return lines;
  }

  private static List<String> head(Partition partition) {
    List<String> lines = new ArrayList<>();
    lines.add(partition.head());
    if (partition.staticRow != null) {
      lines.add(partition.staticRow.text());
    }
    return lines;
  }

  /** What reading slices of a partition shows. */
  List<String> read(Partition partition, List<Slice> slices, boolean reversed) {
    List<String> lines = new ArrayList<>();
    slices.forEach(slice -> lines.addAll(slice(partition, slice)));
    if (reversed) {
      Collections.reverse(lines);
    }
    lines.addAll(0, head(partition));
    return lines;
  }

  /** Items between the bounds, and of a range that reaches over a bound the part inside. */
  private List<String> slice(Partition partition, Slice slice) {
    ClusteringComparator order = new ClusteringComparator(header.clusteringTypes());
    List<String> lines = new ArrayList<>();
    Deletion open = Deletion.NONE;
    boolean started = false;
    for (Item item : partition.items) {
      if (order.compare(item.clustering(), slice.start()) > 0 && !started) {
        started = true;
        bound(lines, slice.start(), open);
      }
      if (order.compare(item.clustering(), slice.end()) >= 0) {
        break;
      }
      if (started) {
        lines.add(item.text());
      }
      if (item instanceof Marker marker) {
        open = marker.clustering().kind().opens() ? marker.open() : Deletion.NONE;
      }
    }
    bound(lines, slice.end(), open);
    return lines;
  }

  private static void bound(List<String> lines, Clustering bound, Deletion open) {
    if (!open.isLive()) {
      lines.add(new Marker(bound, open, open).text());
    }
  }

  /** What a cursor shows, in the same form; reads each unfiltered to its end. */
  public static List<String> linesOf(PartitionCursor cursor) throws IOException {
    List<String> lines = new ArrayList<>();
    while (cursor.nextPartition()) {
      lines.add(
          cursor.key()
              + new Deletion(cursor.deletionTimestamp(), cursor.deletionLocalTime()).text());
      while (cursor.nextUnfiltered()) {
        lines.add(itemOf(cursor.unfiltered()).text());
      }
    }
    return lines;
  }

  /** A copy of what is shown. */
  public static Item itemOf(Unfiltered shown) throws IOException {
    Clustering clustering = new Clustering();
    clustering.copyFrom(shown.clustering());
    Deletion deletion = new Deletion(shown.deletionTimestamp(), shown.deletionLocalTime());
    if (shown.isMarker()) {
      return new Marker(
          clustering, deletion, new Deletion(shown.openTimestamp(), shown.openLocalTime()));
    }
    List<Column> columns = new ArrayList<>();
    while (shown.nextColumn()) {
      int index = shown.columnIndex();
      Deletion complex =
          shown.isComplex()
              ? new Deletion(shown.complexDeletionTimestamp(), shown.complexDeletionLocalTime())
              : Deletion.NONE;
      List<Cell> cells = new ArrayList<>();
      while (shown.nextCell()) {
        cells.add(
            new Cell(
                copy(shown, shown.pathOffset(), shown.pathLength()),
                shown.cellTimestamp(),
                shown.cellTtl(),
                shown.cellLocalDeletionTime(),
                copy(shown, shown.valueOffset(), shown.valueLength())));
      }
      columns.add(new Column(index, complex, cells));
    }
    return new Row(
        clustering,
        shown.livenessTimestamp(),
        shown.livenessTtl(),
        shown.livenessExpirationTime(),
        deletion,
        columns);
  }

  private static byte[] copy(Unfiltered row, int offset, int length) {
    return Arrays.copyOfRange(row.bytes(), offset, offset + length);
  }

  /** The kind of a static row's clustering. */
  public static boolean isStatic(Item item) {
    return item.clustering().kind() == ClusteringKind.STATIC_CLUSTERING;
  }
}
