package io.siltstone.tools.load;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionRange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Prints live rows, in blocks of text. Confined to one thread. */
final class Exporter {
  private static final int BLOCK_CHARS = 64 * 1024;

  private final RowText format;
  private final long nowSeconds;
  private final CancelFlag stop;
  private final StringBuilder block = new StringBuilder();

  /**
   * @param nowSeconds time at which rows must be live, in seconds since 1970
   * @param stop ends the export early
   */
  Exporter(RowText format, long nowSeconds, CancelFlag stop) {
    this.format = format;
    this.nowSeconds = nowSeconds;
    this.stop = stop;
  }

  /** Prints the header. */
  void begin(OutputColumns columns, OutputStream out) throws IOException {
    format.appendHeader(columns.names(), block);
    flush(out);
  }

  /**
   * Prints the rows of a range of partitions.
   *
   * @return whether there was a row
   */
  boolean export(ExportedRows from, PartitionRange range, OutputStream out) throws IOException {
    boolean isAnyFound = false;
    try (PartitionCursor cursor = from.cursors().over(range)) {
      OutputRows rows = new OutputRows(cursor, from.columns(), format.values(), nowSeconds, stop);
      while (next(rows, from)) {
        isAnyFound = true;
        format.append(from.columns().names(), rows.row(), block);
        if (block.length() > BLOCK_CHARS) {
          flush(out);
        }
      }
    }
    return isAnyFound;
  }

  private static boolean next(OutputRows rows, ExportedRows from) throws IOException {
    try {
      return rows.next();
    } catch (IllegalArgumentException e) {
      // A value that its type rejects is damage of the file, even if its checksum was right.
      throw new CorruptFileException(
          from.name(), CorruptFileException.WHOLE_FILE, "a value cannot be read: " + e, e);
    }
  }

  /** Prints the rest, unless the export is stopped. */
  void end(OutputStream out) throws IOException {
    stop.check();
    flush(out);
    out.flush();
  }

  private void flush(OutputStream out) throws IOException {
    out.write(block.toString().getBytes(StandardCharsets.UTF_8));
    block.setLength(0);
  }
}
