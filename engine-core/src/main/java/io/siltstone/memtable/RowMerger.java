package io.siltstone.memtable;

import io.siltstone.cursor.ByteOrigin;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Reconciler;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges the versions of a row in a memtable into one. Reusable, confined to one thread; allocates
 * nothing once its arrays have grown to the largest row.
 */
final class RowMerger {
  private static final int FIRST_VERSIONS = 4;
  private static final byte[] NOTHING = {};
  private static final ByteOrigin ORIGIN =
      (index, reason) -> new IOException("a row in a memtable is wrong: " + reason);

  private final RowEncoding encoding;
  // Created for the first row that has several versions or is under a deletion, as it is large.
  private @Nullable Reconciler reconciler;
  // Each array belongs to the view of the same index; inputs has room for one more row.
  private Unfiltered[] views = {};
  private byte[][] bytes = {};
  private Unfiltered[] inputs = {};
  private int count;

  /** Creates a merger of rows in the given encoding. */
  RowMerger(RowEncoding encoding) {
    this.encoding = encoding;
    grow(FIRST_VERSIONS);
  }

  private void grow(int capacity) {
    views = Arrays.copyOf(views, capacity);
    bytes = Arrays.copyOf(bytes, capacity);
    inputs = Arrays.copyOf(inputs, capacity + 1);
    for (int i = count; i < capacity; i++) {
      views[i] = new Unfiltered(encoding, ORIGIN);
      bytes[i] = NOTHING;
    }
  }

  /** Returns the number of bytes of the arrays that have grown to the largest row. */
  long heldBytes() {
    long held = reconciler == null ? 0 : reconciler.heldBytes();
    for (byte[] array : bytes) {
      held += array.length;
    }
    return held;
  }

  /**
   * Returns a version merged with its bases.
   *
   * @param deletionTimestamp of the winning deletion that covers the row, {@link
   *     DeletionTime#NO_TIMESTAMP} without
   * @return null if nothing remains; valid until the next call
   */
  @Nullable Unfiltered read(
      Arena arena, int version, long deletionTimestamp, long deletionLocalTime) throws IOException {
    begin();
    int base = version;
    do {
      add(arena, base);
      base = RowVersions.base(arena, base);
    } while (base != Arena.NONE);
    return count == 1 && DeletionTime.isLive(deletionTimestamp)
        ? inputs[0]
        : reconciler().reconcile(inputs, count, deletionTimestamp, deletionLocalTime);
  }

  private Reconciler reconciler() {
    if (reconciler == null) {
      reconciler = new Reconciler(new TableEncoding(encoding, List.of()));
    }
    return reconciler;
  }

  /** Begins a row; its versions are then {@linkplain #add added}. */
  void begin() {
    count = 0;
  }

  /** Adds a version, without its bases. */
  void add(Arena arena, int version) throws IOException {
    if (count == views.length) {
      grow(2 * count);
    }
    int length = RowVersions.length(arena, version);
    bytes[count] = Scratch.atLeast(bytes[count], length);
    arena.read(version, RowVersions.BYTES, bytes[count], 0, length);
    views[count].wrap(bytes[count], 0, length);
    inputs[count] = views[count];
    count++;
  }

  /**
   * Returns the versions added merged with a change.
   *
   * @return null if nothing remains; valid until the next call
   */
  @Nullable Unfiltered mergeWith(Unfiltered change) throws IOException {
    inputs[count] = change;
    return reconciler()
        .reconcile(inputs, count + 1, DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
  }
}
