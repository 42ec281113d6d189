package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the rows and range tombstones below a {@link RetentionFloor}, forward. A range
 * tombstone that reaches over the floor is cut there. A partition of which nothing is left, no
 * deletion, static row or row, is not shown.
 *
 * <p>Nothing is allocated per partition, row or cell. In an ascending column, rows are compared
 * with the floor until the first of the partition that is shown; in a descending one, until the
 * first that is hidden. Confined to one thread; closing it closes the source.
 */
public final class RetentionCursor implements PartitionCursor {

  /** Receives what is left out, so that a compaction can prove that it lost nothing else. */
  public interface Listener {

    /** Called when nothing was left of a partition. */
    void partition(PartitionKey key);

    /** Called for each row that is left out. */
    void row(Unfiltered row);

    /** Called for each marker that is left out with 1, and with -1 for each that is made. */
    void markers(int count);
  }

  private final PartitionCursor source;
  private final @Nullable Listener listener;
  private final Slice kept;
  private final boolean isDescending;
  private final ClusteringComparator order;
  private final UnfilteredEncoder encoder;
  private final Unfiltered marker;

  // Whether the present partition has reached the floor: the rest of it is shown if the column is
  // ascending, and hidden if it is descending.
  private boolean isPastFloor;
  // The range tombstone that is open at the present place of the source.
  private long openTimestamp;
  private long openLocalTime;
  // The first unfiltered was already found, to know that there is one.
  private boolean firstIsPending;
  // The marker at the floor is shown; the source is already at what follows it.
  private boolean isAtFloor;

  /**
   * @param listener receives what is left out; null for none
   */
  public RetentionCursor(
      PartitionCursor source, RetentionFloor floor, @Nullable Listener listener) {
    this.source = source;
    this.listener = listener;
    this.kept = floor.kept();
    this.isDescending = floor.isDescending();
    this.order = floor.order();
    this.encoder = new UnfilteredEncoder(source.encoding());
    this.marker =
        new Unfiltered(
            source.encoding(),
            (index, reason) ->
                new IOException("a marker made at the retention floor is wrong: " + reason));
  }

  @Override
  public RowEncoding encoding() {
    return source.encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    while (source.nextPartition()) {
      isPastFloor = false;
      isAtFloor = false;
      firstIsPending = false;
      openTimestamp = DeletionTime.NO_TIMESTAMP;
      if (!DeletionTime.isLive(source.deletionTimestamp())) {
        return true;
      }
      if (findNext()) {
        firstIsPending = true;
        return true;
      }
      if (listener != null) {
        listener.partition(source.key());
      }
    }
    return false;
  }

  @Override
  public PartitionKey key() {
    return source.key();
  }

  @Override
  public long deletionTimestamp() {
    return source.deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return source.deletionLocalTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    if (firstIsPending) {
      firstIsPending = false;
      return true;
    }
    return findNext();
  }

  @Override
  public Unfiltered unfiltered() {
    return isAtFloor ? marker : source.unfiltered();
  }

  private boolean findNext() throws IOException {
    return isDescending ? findDescending() : findAscending();
  }

  private boolean findAscending() throws IOException {
    if (isAtFloor) {
      isAtFloor = false;
      return true;
    }
    while (source.nextUnfiltered()) {
      Unfiltered next = source.unfiltered();
      if (isPastFloor || next.isStatic()) {
        return true;
      }
      if (order.compare(next.clustering(), kept.start()) > 0) {
        isPastFloor = true;
        if (isOpen()) {
          show(kept.start());
        }
        return true;
      }
      note(next);
      leaveOut(next);
    }
    return false;
  }

  private boolean findDescending() throws IOException {
    if (isAtFloor) {
      isAtFloor = false;
      leaveOut(source.unfiltered());
    }
    if (isPastFloor && listener == null) {
      return false;
    }
    while (source.nextUnfiltered()) {
      Unfiltered next = source.unfiltered();
      if (!isPastFloor) {
        if (next.isStatic()) {
          return true;
        }
        if (order.compare(next.clustering(), kept.end()) < 0) {
          note(next);
          return true;
        }
        isPastFloor = true;
        if (isOpen()) {
          show(kept.end());
          return true;
        }
      }
      leaveOut(next);
      if (listener == null) {
        return false;
      }
    }
    return false;
  }

  private boolean isOpen() {
    return !DeletionTime.isLive(openTimestamp);
  }

  private void note(Unfiltered unfiltered) {
    if (unfiltered.isMarker()) {
      boolean opens = unfiltered.clustering().kind().opens();
      openTimestamp = opens ? unfiltered.openTimestamp() : DeletionTime.NO_TIMESTAMP;
      openLocalTime = unfiltered.openLocalTime();
    }
  }

  private void leaveOut(Unfiltered unfiltered) {
    if (listener == null) {
      return;
    }
    if (unfiltered.isMarker()) {
      listener.markers(1);
    } else {
      listener.row(unfiltered);
    }
  }

  /** Shows a marker at the floor, for the range tombstone that is open there. */
  private void show(Clustering bound) throws IOException {
    encoder
        .marker(bound, openTimestamp, openLocalTime, openTimestamp, openLocalTime, 0)
        .wrapWith(marker);
    isAtFloor = true;
    if (listener != null) {
      listener.markers(-1);
    }
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
