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
 * Makes one row of the versions that it lies in. Reusable, confined to one thread; allocates
 * nothing once its arrays have grown to the largest row.
 */
final class RowMerger {
  private static final int FIRST_VERSIONS = 4;
  private static final byte[] NOTHING = {};
  private static final ByteOrigin ORIGIN =
      (index, reason) -> new IOException("a row in a memtable is wrong: " + reason);

  private final RowEncoding encoding;
  // Made when the first row lies in several versions or under a deletion: it is large.
  private @Nullable Reconciler reconciler;
  // Each array of bytes belongs to the view of the same index; inputs has room for one row more.
  private Unfiltered[] views = {};
  private byte[][] bytes = {};
  private Unfiltered[] inputs = {};
  private int count;

  /** Of rows in the given encoding. */
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

  /** Bytes of the arrays that have grown to the largest row. */
  long heldBytes() {
    long held = reconciler == null ? 0 : reconciler.heldBytes();
    for (byte[] array : bytes) {
      held += array.length;
    }
    return held;
  }

  /**
   * The row of a version and its bases.
   *
   * @param deletionTimestamp of the strongest deletion that covers it, {@link
   *     DeletionTime#NO_TIMESTAMP} without
   * @return null if nothing is left of it; valid until the next call
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

  /** Begins a row of versions that are to be {@linkplain #add added}. */
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
   * The row of the versions added and a change.
   *
   * @return null if nothing is left of it; valid until the next call
   */
  @Nullable Unfiltered mergeWith(Unfiltered change) throws IOException {
    inputs[count] = change;
    return reconciler()
        .reconcile(inputs, count + 1, DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
  }
}
