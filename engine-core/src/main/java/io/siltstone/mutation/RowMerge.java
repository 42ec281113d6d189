package io.siltstone.mutation;

import io.siltstone.cursor.EncodedUnfiltered;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.Reconciler;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.mutation.RangeDeletions.Deletion;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes one row of all that a mutation does to it. Where two changes meet in the same place, or a
 * deletion with anything else, each becomes a version of the row, and {@link Reconciler} decides;
 * so the order in which they were told does not matter.
 *
 * <p>Confined to one thread.
 */
final class RowMerge {
  private static final byte[] NOTHING = {};

  private final RowEncoding encoding;
  private final UnfilteredEncoder encoder;
  private final Reconciler reconciler;
  private final Kind staticKind;
  private final Kind regularKind;

  /** The columns of static or of regular rows. */
  private static final class Kind {
    private final boolean isStatic;
    private final List<CqlType> types;
    // Of a row that is made already, all columns stay where they are.
    private final int[] same;

    Kind(RowEncoding encoding, boolean isStatic) {
      this.isStatic = isStatic;
      this.types = encoding.header().columns(isStatic).stream().map(HeaderColumn::type).toList();
      this.same = IntStream.range(0, types.size()).toArray();
    }
  }

  /**
   * Of rows in an encoding.
   *
   * @param encoder to be used for them
   */
  RowMerge(RowEncoding encoding, UnfilteredEncoder encoder) {
    this.encoding = encoding;
    this.encoder = encoder;
    this.reconciler = new Reconciler(new TableEncoding(encoding, List.of()));
    this.staticKind = new Kind(encoding, true);
    this.regularKind = new Kind(encoding, false);
  }

  /**
   * Adds what remains of a row to an update.
   *
   * @param changes of the same row, at least one
   * @param active what deletes the row from outside, {@link Deletion#NONE} for nothing
   */
  void add(boolean isStatic, List<RowChange> changes, Deletion active, PartitionUpdate update) {
    Kind kind = isStatic ? staticKind : regularKind;
    RowChange first = changes.get(0);
    List<CellChange> cells = sorted(kind, first.cells);
    if (changes.size() == 1 && active.equals(Deletion.NONE) && isPlain(kind, cells)) {
      encode(kind, first, true, cells);
      if (!encoder.isEmpty()) {
        encoder.finish(0);
        update.add(encoder);
      }
      return;
    }
    try {
      Unfiltered[] versions = versions(kind, changes);
      Unfiltered row =
          reconciler.reconcile(
              versions, versions.length, active.timestamp(), active.localDeletionTime());
      if (row != null) {
        encoder.transcode(row, kind.same, 0);
        update.add(encoder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("rows just made cannot be read", e);
    }
  }

  private static List<CellChange> sorted(Kind kind, List<CellChange> cells) {
    for (int i = 1; i < cells.size(); i++) {
      if (compare(kind, cells.get(i - 1), cells.get(i)) > 0) {
        List<CellChange> sorted = new ArrayList<>(cells);
        sorted.sort((left, right) -> compare(kind, left, right));
        return sorted;
      }
    }
    return cells;
  }

  /** By their places: in the order of cells, the deletion of a column before its cells. */
  private static int compare(Kind kind, CellChange left, CellChange right) {
    if (left.column() != right.column()) {
      return Integer.compare(left.column(), right.column());
    }
    byte[] leftPath = left.path();
    byte[] rightPath = right.path();
    if (leftPath == null || rightPath == null) {
      return Boolean.compare(leftPath != null, rightPath != null);
    }
    return kind.types
        .get(left.column())
        .pathType()
        .compare(leftPath, 0, leftPath.length, rightPath, 0, rightPath.length);
  }

  /** Whether each place is there once, and none is covered by the deletion of its column. */
  private static boolean isPlain(Kind kind, List<CellChange> cells) {
    CellChange deletion = null;
    for (int i = 0; i < cells.size(); i++) {
      CellChange cell = cells.get(i);
      if (i > 0 && compare(kind, cells.get(i - 1), cell) == 0) {
        return false;
      }
      if (isColumnDeletion(kind, cell)) {
        deletion = cell;
      } else if (deletion != null
          && deletion.column() == cell.column()
          && cell.timestamp() <= deletion.timestamp()) {
        return false;
      }
    }
    return true;
  }

  private static boolean isColumnDeletion(Kind kind, CellChange cell) {
    return cell.path() == null && kind.types.get(cell.column()).isMultiCell();
  }

  private Unfiltered[] versions(Kind kind, List<RowChange> changes) throws IOException {
    List<Unfiltered> versions = new ArrayList<>();
    for (RowChange change : changes) {
      List<CellChange> rest = sorted(kind, change.cells);
      boolean first = true;
      while (first || !rest.isEmpty()) {
        List<CellChange> distinct = new ArrayList<>();
        List<CellChange> again = new ArrayList<>();
        for (CellChange cell : rest) {
          boolean present =
              !distinct.isEmpty() && compare(kind, distinct.get(distinct.size() - 1), cell) == 0;
          (present ? again : distinct).add(cell);
        }
        encode(kind, change, first, distinct);
        versions.add(version());
        rest = again;
        first = false;
      }
    }
    return versions.toArray(Unfiltered[]::new);
  }

  private Unfiltered version() throws IOException {
    EncodedUnfiltered encoded = encoder.finish(0);
    Unfiltered version =
        new Unfiltered(encoding, (index, reason) -> new IOException("a row just made: " + reason));
    int length = encoded.length();
    version.wrap(Arrays.copyOf(encoded.bytes(), length), 0, length);
    return version;
  }

  /** Encodes a change of a row, without finishing the row. */
  private void encode(Kind kind, RowChange change, boolean withHead, List<CellChange> cells) {
    if (kind.isStatic) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      for (byte[] value : change.clustering) {
        encoder.clusteringValue(value, 0, value.length);
      }
    }
    if (withHead) {
      encoder.liveness(change.livenessTimestamp, change.livenessTtl, change.livenessExpirationTime);
      encoder.deletion(change.deletionTimestamp, change.deletionLocalTime, false);
    }
    for (int i = 0; i < cells.size(); i++) {
      CellChange cell = cells.get(i);
      if (i == 0 || cells.get(i - 1).column() != cell.column()) {
        encoder.column(cell.column());
      }
      if (isColumnDeletion(kind, cell)) {
        encoder.complexDeletion(cell.timestamp(), cell.localDeletionTime());
      } else {
        encode(cell);
      }
    }
  }

  private void encode(CellChange cell) {
    byte[] path = cell.path() == null ? NOTHING : cell.path();
    byte[] value = cell.value() == null ? NOTHING : cell.value();
    encoder.cell(
        cell.timestamp(),
        cell.ttl(),
        cell.localDeletionTime(),
        path,
        0,
        path.length,
        value,
        0,
        value.length);
  }
}
