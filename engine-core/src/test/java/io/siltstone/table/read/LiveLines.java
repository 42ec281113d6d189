package io.siltstone.table.read;

import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** What a cursor shows that lives at some time, as lines of text: partitions, rows and cells. */
final class LiveLines {
  private LiveLines() {}

  /**
   * Reads a cursor to its end. Rows without live cells are lines as well if they live.
   *
   * @param now in seconds since 1970
   */
  static List<String> of(PartitionCursor cursor, long now) throws IOException {
    List<String> lines = new ArrayList<>();
    while (cursor.nextPartition()) {
      int head = lines.size();
      lines.add(cursor.key().toString());
      while (cursor.nextUnfiltered()) {
        Unfiltered row = cursor.unfiltered();
        if (!row.isMarker() && Liveness.isRowLive(row, now)) {
          lines.add(lineOf(row, now));
        }
      }
      if (lines.size() == head + 1) {
        lines.remove(head);
      }
    }
    return lines;
  }

  private static String lineOf(Unfiltered row, long now) throws IOException {
    SerializationHeader header = row.encoding().header();
    StringBuilder line = new StringBuilder(row.clustering().kind().name());
    for (int i = 0; i < row.clustering().size(); i++) {
      line.append(i == 0 ? " " : ",")
          .append(
              row.clustering().valueLength(i) < 0
                  ? "null"
                  : HexFormat.of().formatHex(row.clustering().value(i)));
    }
    row.rewind();
    while (row.nextColumn()) {
      String name = header.columns(row.isStatic()).get(row.columnIndex()).name();
      while (row.nextCell()) {
        if (Liveness.isCellLive(row, now)) {
          line.append(" | ").append(name);
          HexFormat hex = HexFormat.of();
          int path = row.pathOffset();
          int value = row.valueOffset();
          line.append('[')
              .append(hex.formatHex(row.bytes(), path, path + row.pathLength()))
              .append("]=")
              .append(hex.formatHex(row.bytes(), value, value + row.valueLength()))
              .append('@')
              .append(row.cellTimestamp());
        }
      }
    }
    return line.toString();
  }
}
