package io.siltstone.keyvalue;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.table.read.TableSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the entries of a snapshot of a table.
 *
 * <p>Forward, it is a scan that begins in the caches. Backward, it copies a stretch of entries
 * before the present one, at most {@link EntryBuffer#MAX_BYTES}, and walks through it from its end.
 * Stretches begin at keys of which the sources have samples in memory; one that turns out to be too
 * long is divided into several, each of which is read once more.
 *
 * <p>Hot path: a step forward allocates nothing; a step backward allocates only when it reads the
 * next stretch.
 */
final class TableEntries extends EntryCursor {
  /** Less than all keys. */
  static final PartitionKey LEAST = KeyValueTable.key(new byte[0]);

  /** Greater than all keys, since it is longer than the longest. */
  private static final PartitionKey AFTER_ALL = afterAll();

  private static final int MAX_SAMPLES = 4;

  private final TableSnapshot snapshot;
  private final PartitionKey from;
  private final @Nullable PartitionKey to;
  private final long now;

  private final PartitionKey passed = new PartitionKey();

  // Forward: a scan that stands at the present entry. Null while in a stretch.
  private @Nullable PartitionCursor scan;

  // Backward: the entries of a range of keys.
  private final EntryBuffer stretch = new EntryBuffer();
  private PartitionKey stretchFrom = LEAST;
  private @Nullable PartitionKey stretchTo;
  private int index;
  // The first keys of the parts of the last stretch that did not fit into the buffer together with
  // its end, the last part last. Takes no memory before it has any.
  private final List<PartitionKey> parts = new ArrayList<>();
  private int samples = 1;

  /**
   * Takes over the snapshot.
   *
   * @param range with a first key
   * @param now the time at which expiry is evaluated, in seconds since 1970
   * @param cancelSignal ends moves once it has begun
   */
  TableEntries(TableSnapshot snapshot, PartitionRange range, long now, CancelSignal cancelSignal) {
    super(cancelSignal);
    this.snapshot = snapshot;
    this.from = range.from() == null ? LEAST : range.from();
    this.to = range.to();
    this.now = now;
  }

  private static PartitionKey afterAll() {
    byte[] bytes = new byte[PartitionKey.MAX_LENGTH + 1];
    Arrays.fill(bytes, (byte) 0xff);
    return KeyValueTable.key(bytes);
  }

  @Override
  public void seekToFirst() throws IOException {
    begin();
    scanFrom(from);
  }

  @Override
  public void seekToLast() throws IOException {
    begin();
    backFrom(to);
  }

  @Override
  public void seek(byte[] key) throws IOException {
    begin();
    PartitionKey target = KeyValueTable.key(key.clone());
    if (target.compareTo(from) < 0) {
      target = from;
    }
    if (to == null || target.compareTo(to) < 0) {
      scanFrom(target);
    }
  }

  @Override
  public void seekForPrev(byte[] key) throws IOException {
    begin();
    PartitionKey behind = KeyValueTable.key(key).successor();
    backFrom(to != null && to.compareTo(behind) < 0 ? to : behind);
  }

  private void begin() throws IOException {
    valid = false;
    samples = 1;
    parts.clear();
    endScan();
  }

  @Override
  public void next() throws IOException {
    requireValid();
    if (scan != null) {
      step(scan);
    } else if (index + 1 < stretch.count()) {
      show(index + 1);
    } else {
      PartitionKey behind = stretchTo;
      begin();
      if (behind != null && (to == null || behind.compareTo(to) < 0)) {
        scanFrom(behind);
      }
    }
  }

  @Override
  public void previous() throws IOException {
    requireValid();
    if (scan != null) {
      PartitionKey present = KeyValueTable.key(copyOfKey());
      begin();
      backFrom(present);
    } else if (index > 0) {
      show(index - 1);
    } else {
      valid = false;
      backFrom(stretchFrom);
    }
  }

  @Override
  public @Nullable PartitionKey reached() {
    if (valid) {
      return KeyValueTable.key(copyOfKey());
    }
    return passed.length() == 0 ? null : passed;
  }

  @Override
  public void ended(boolean isTimeout) {
    snapshot.ended(isTimeout);
  }

  // Forward.

  private void scanFrom(PartitionKey first) throws IOException {
    PartitionCursor opened =
        snapshot.open(new Read.OfRange(new PartitionRange(first, to), true), cancelSignal);
    scan = opened;
    step(opened);
  }

  private void step(PartitionCursor present) throws IOException {
    valid = false;
    if (KeyValueTable.goToEntry(present, to, now, passed)) {
      PartitionKey key = present.key();
      Unfiltered row = present.unfiltered();
      showKey(key.bytes(), key.offset(), key.length());
      showValue(row.bytes(), row.valueOffset(), row.valueLength());
    } else {
      endScan();
    }
  }

  private void endScan() throws IOException {
    if (scan != null) {
      PartitionCursor ended = scan;
      scan = null;
      ended.close();
    }
  }

  // Backward.

  /** Moves to the last entry whose key is less than {@code end}; null for the last of all. */
  private void backFrom(@Nullable PartitionKey end) throws IOException {
    PartitionKey behind = end;
    while (behind == null || behind.compareTo(from) > 0) {
      boolean isFirst = samples == 1;
      PartitionKey first = parts.isEmpty() ? sampleBefore(behind) : parts.remove(parts.size() - 1);
      copy(first, behind, isFirst);
      if (stretch.count() > 0) {
        show(stretch.count() - 1);
        return;
      }
      behind = stretchFrom;
    }
  }

  /**
   * Returns where a stretch begins. Each stretch since the last seek spans more samples than the
   * one before, up to a maximum.
   */
  private PartitionKey sampleBefore(@Nullable PartitionKey behind) throws IOException {
    PartitionKey first = behind == null ? AFTER_ALL : behind;
    for (int i = 0; i < samples; i++) {
      PartitionKey sample = snapshot.sampleBefore(first);
      if (sample == null || sample.compareTo(from) <= 0) {
        first = from;
        break;
      }
      first = sample;
    }
    samples = Math.min(2 * samples, MAX_SAMPLES);
    return first;
  }

  /**
   * Copies the entries from one key up to another; if they are too many, the last ones.
   *
   * @param isFirst whether it is the first stretch since the last seek
   */
  private void copy(PartitionKey first, @Nullable PartitionKey behind, boolean isFirst)
      throws IOException {
    stretch.clear();
    stretchFrom = first;
    stretchTo = behind;
    PartitionRange range = new PartitionRange(first, behind);
    try (PartitionCursor cursor = snapshot.open(new Read.OfRange(range, isFirst), cancelSignal)) {
      while (KeyValueTable.goToEntry(cursor, behind, now, passed)) {
        if (!stretch.add(cursor.key(), cursor.unfiltered())) {
          parts.add(stretchFrom);
          stretchFrom = new PartitionKey();
          stretchFrom.copyFrom(cursor.key());
          stretch.clear();
          stretch.add(cursor.key(), cursor.unfiltered());
        }
      }
    }
  }

  private void show(int entry) {
    index = entry;
    showKey(stretch.bytes(), stretch.keyOffset(entry), stretch.keyLength(entry));
    showValue(stretch.bytes(), stretch.valueOffset(entry), stretch.valueLength(entry));
  }

  @Override
  public void close() throws IOException {
    valid = false;
    scan = null;
    snapshot.close();
  }
}
