package io.siltstone.tools.load;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodedUnfiltered;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.io.CorruptFileException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Merges several rows of one primary key: each column is taken from the last row that has it.
 * Reusable; confined to one thread.
 */
final class RecordMerger {
  private final UnfilteredEncoder encoder;
  private final Unfiltered older;
  private final Unfiltered newer;
  private byte[] bytes = new byte[1024];
  private int length;

  RecordMerger(RowEncoding encoding) {
    encoder = new UnfilteredEncoder(encoding);
    older = new Unfiltered(encoding, RecordMerger::corrupt);
    newer = new Unfiltered(encoding, RecordMerger::corrupt);
  }

  static IOException corrupt(int index, String reason) {
    return new CorruptFileException(
        "temporary file of the load", CorruptFileException.WHOLE_FILE, reason);
  }

  /** Begins with the oldest row. */
  void begin(byte[] from, int rowFrom, int rowLength) {
    if (bytes.length < rowLength) {
      bytes = new byte[Math.max(rowLength, 2 * bytes.length)];
    }
    System.arraycopy(from, rowFrom, bytes, 0, rowLength);
    length = rowLength;
  }

  /** Adds the next row. */
  void add(byte[] from, int rowFrom, int rowLength) throws IOException {
    older.wrap(bytes, 0, length);
    newer.wrap(from, rowFrom, rowFrom + rowLength);
    if (newer.isStatic()) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      encoder.clustering(newer.clustering());
      encoder.liveness(
          newer.livenessTimestamp(), newer.livenessTtl(), newer.livenessExpirationTime());
    }
    boolean moreOlder = older.nextColumn();
    boolean moreNewer = newer.nextColumn();
    while (moreOlder || moreNewer) {
      int oldIndex = moreOlder ? older.columnIndex() : Integer.MAX_VALUE;
      int newIndex = moreNewer ? newer.columnIndex() : Integer.MAX_VALUE;
      copyColumn(newIndex <= oldIndex ? newer : older);
      if (oldIndex <= newIndex) {
        moreOlder = older.nextColumn();
      }
      if (newIndex <= oldIndex) {
        moreNewer = newer.nextColumn();
      }
    }
    EncodedUnfiltered merged = encoder.finish(0);
    length = merged.length();
    if (bytes.length < length) {
      bytes = Arrays.copyOf(merged.bytes(), Math.max(length, 2 * bytes.length));
    } else {
      System.arraycopy(merged.bytes(), 0, bytes, 0, length);
    }
  }

  private void copyColumn(Unfiltered row) throws IOException {
    encoder.column(row.columnIndex());
    if (row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp())) {
      encoder.complexDeletion(row.complexDeletionTimestamp(), row.complexDeletionLocalTime());
    }
    while (row.nextCell()) {
      encoder.copyCell(row);
    }
  }

  /** Returns the array that contains the merged row from index 0 on. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the length of the merged row. */
  int length() {
    return length;
  }
}
