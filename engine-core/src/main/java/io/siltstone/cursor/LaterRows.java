package io.siltstone.cursor;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Merges versions of a row by their order instead of their timestamps: each column, and the
 * liveness, is taken from the last version that has it. A collection counts as one column, with its
 * deletion and all its cells. Used by a bulk load of rows that all have the same timestamp, of
 * which the later ones win.
 *
 * <p>The versions have no deletion of the row. Reusable; confined to one thread; allocates nothing
 * once its arrays have grown to the largest row.
 */
public final class LaterRows {
  private final UnfilteredEncoder encoder;
  private final Unfiltered result;
  private boolean[] hasColumn = {};

  /** Creates a merge of rows in the given encoding. */
  public LaterRows(RowEncoding encoding) {
    encoder = new UnfilteredEncoder(encoding);
    result =
        new Unfiltered(
            encoding,
            (index, reason) -> new IOException("a row made of several is damaged: " + reason));
  }

  /**
   * Merges versions of one row, or of the static row.
   *
   * @param rows in the order in which they were written; distinct objects in the encoding of this
   *     merge, bodies read, walks at the beginning; all of them are used up
   * @param count number of versions, 1 or more
   * @return the row, valid until the next call, to which it may be given as a version; null if
   *     nothing remains
   */
  public @Nullable Unfiltered merge(Unfiltered[] rows, int count) throws IOException {
    begin(rows, count);
    if (hasColumn.length < count) {
      hasColumn = new boolean[count];
    }
    for (int i = 0; i < count; i++) {
      hasColumn[i] = rows[i].nextColumn();
    }
    int last = lastOfLeastColumn(rows, count);
    while (last >= 0) {
      int column = rows[last].columnIndex();
      copyColumn(rows[last]);
      for (int i = 0; i < count; i++) {
        if (hasColumn[i] && rows[i].columnIndex() == column) {
          hasColumn[i] = rows[i].nextColumn();
        }
      }
      last = lastOfLeastColumn(rows, count);
    }
    if (encoder.isEmpty()) {
      return null;
    }
    encoder.finish(0).wrapWith(result);
    return result;
  }

  private void begin(Unfiltered[] rows, int count) {
    if (rows[0].isStatic()) {
      encoder.beginStaticRow();
      return;
    }
    encoder.beginRow();
    encoder.clustering(rows[0].clustering());
    for (int i = count - 1; i >= 0; i--) {
      Unfiltered row = rows[i];
      if (row.hasLiveness()) {
        encoder.liveness(row.livenessTimestamp(), row.livenessTtl(), row.livenessExpirationTime());
        return;
      }
    }
  }

  /** Returns the last version at the least column that any version is at; -1 after the last. */
  private int lastOfLeastColumn(Unfiltered[] rows, int count) {
    int last = -1;
    for (int i = 0; i < count; i++) {
      if (hasColumn[i] && (last < 0 || rows[i].columnIndex() <= rows[last].columnIndex())) {
        last = i;
      }
    }
    return last;
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
}
