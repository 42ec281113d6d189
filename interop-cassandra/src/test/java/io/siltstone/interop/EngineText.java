package io.siltstone.interop;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the engine's rows as {@link CanonicalText}. */
final class EngineText {

  private EngineText() {}

  /** Returns all remaining partitions of the cursor. */
  static String of(PartitionCursor cursor) throws IOException {
    CanonicalText text = new CanonicalText();
    while (cursor.nextPartition()) {
      partition(text, cursor);
    }
    return text.toString();
  }

  /** Writes the current partition of the cursor, which has not moved into it yet. */
  static void partition(CanonicalText text, PartitionCursor cursor) throws IOException {
    text.partition(cursor.key().toByteArray());
    if (!DeletionTime.isLive(cursor.deletionTimestamp())) {
      text.partitionDeletion(cursor.deletionTimestamp(), cursor.deletionLocalTime());
    }
    while (cursor.nextUnfiltered()) {
      unfiltered(text, cursor.unfiltered());
    }
  }

  static void unfiltered(CanonicalText text, Unfiltered unfiltered) throws IOException {
    if (unfiltered.isMarker()) {
      marker(text, unfiltered);
    } else if (unfiltered.isWithoutContent()) {
      return; // nor does Cassandra show it
    } else if (unfiltered.isStatic()) {
      text.staticRow();
      content(text, unfiltered);
    } else {
      text.row(values(unfiltered.clustering()));
      content(text, unfiltered);
    }
  }

  private static void marker(CanonicalText text, Unfiltered marker) {
    Clustering bound = marker.clustering();
    if (bound.kind().isBoundary()) {
      text.boundary(
          bound.kind().name(),
          values(bound),
          marker.deletionTimestamp(),
          marker.deletionLocalTime(),
          marker.openTimestamp(),
          marker.openLocalTime());
    } else {
      text.bound(
          bound.kind().name(),
          values(bound),
          marker.deletionTimestamp(),
          marker.deletionLocalTime());
    }
  }

  private static void content(CanonicalText text, Unfiltered row) throws IOException {
    if (row.hasLiveness()) {
      text.liveness(row.livenessTimestamp(), row.livenessTtl(), row.livenessExpirationTime());
    }
    if (row.hasDeletion()) {
      text.rowDeletion(row.deletionTimestamp(), row.deletionLocalTime());
    }
    while (row.nextColumn()) {
      String name = row.column().name();
      if (row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp())) {
        text.complexDeletion(name, row.complexDeletionTimestamp(), row.complexDeletionLocalTime());
      }
      while (row.nextCell()) {
        text.cell(
            name,
            row.isComplex() ? copy(row, row.pathOffset(), row.pathLength()) : null,
            row.cellTimestamp(),
            row.cellTtl(),
            row.cellLocalDeletionTime(),
            copy(row, row.valueOffset(), row.valueLength()));
      }
    }
  }

  private static byte[] copy(Unfiltered row, int offset, int length) {
    return Arrays.copyOfRange(row.bytes(), offset, offset + length);
  }

  private static List<byte @Nullable []> values(Clustering clustering) {
    List<byte @Nullable []> values = new ArrayList<>();
    for (int i = 0; i < clustering.size(); i++) {
      values.add(
          clustering.valueLength(i) == Clustering.NULL
              ? null
              : Arrays.copyOfRange(
                  clustering.bytes(),
                  clustering.valueOffset(i),
                  clustering.valueOffset(i) + clustering.valueLength(i)));
    }
    return values;
  }
}
