package io.siltstone.keyvalue;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.table.read.ShortScan;
import io.siltstone.table.read.TableSnapshot;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over entries in the order of their keys, which moves forward and backward. It stands at
 * no entry at first.
 *
 * <p>Forward, it is a {@linkplain ShortScan scan that begins in the caches}. Backward, it copies a
 * stretch of entries before the present one, at most {@link EntryBuffer#MAX_BYTES}, and walks
 * through it from its end. Stretches begin at keys of which the sources have samples in memory; one
 * that turns out to be too long is divided into several, each of which is read once more.
 *
 * <p>The entry that it shows is valid until the next move. Hot path: a step forward allocates
 * nothing; a step backward allocates only when it reads the next stretch. Confined to one thread at
 * a time, closed by its opener; to close it during a step of another thread, begin {@link #closing}
 * first, which ends that step.
 */
public final class EntryCursor implements Closeable {
  /** Less than all keys. */
  static final PartitionKey LEAST = KeyValueTable.key(new byte[0]);

  /** Greater than all keys, since it is longer than the longest. */
  private static final PartitionKey AFTER_ALL = afterAll();

  private static final int MAX_SAMPLES = 4;

  private final TableSnapshot snapshot;
  private final PartitionKey from;
  private final @Nullable PartitionKey to;
  private final long now;
  private final CancelSignal cancelSignal;

  private final PartitionKey passed = new PartitionKey();

  private boolean valid;
  private byte[] keyArray = {};
  private int keyOffset;
  private int keyLength;
  private byte[] valueArray = {};
  private int valueOffset;
  private int valueLength;

  // Forward: a scan that stands at the present entry. Null while in a stretch.
  private @Nullable PartitionCursor scan;

  // Backward: the entries of a range of keys.
  private final EntryBuffer stretch = new EntryBuffer();
  private PartitionKey stretchFrom = LEAST;
  private @Nullable PartitionKey stretchTo;
  private int index;
  // The first keys of the parts of the last stretch that did not fit into the buffer together with
  // its end, the last part first.
  private final Deque<PartitionKey> parts = new ArrayDeque<>();
  private int samples = 1;

  /**
   * Takes over the snapshot.
   *
   * @param range with a first key
   * @param now the time at which expiry is evaluated, in seconds since 1970
   * @param cancelSignal ends moves once it has begun
   */
  EntryCursor(TableSnapshot snapshot, PartitionRange range, long now, CancelSignal cancelSignal) {
    this.snapshot = snapshot;
    this.from = range.from() == null ? LEAST : range.from();
    this.to = range.to();
    this.now = now;
    this.cancelSignal = cancelSignal;
  }

  private static PartitionKey afterAll() {
    byte[] bytes = new byte[PartitionKey.MAX_LENGTH + 1];
    Arrays.fill(bytes, (byte) 0xff);
    return KeyValueTable.key(bytes);
  }

  /** Returns the signal that the closing thread begins; safe for all threads. */
  public CancelSignal closing() {
    return cancelSignal;
  }

  /** Returns whether the cursor stands at an entry. */
  public boolean isValid() {
    return valid;
  }

  /** Returns the array that contains the key. */
  public byte[] keyArray() {
    return keyArray;
  }

  /** Returns the index in {@link #keyArray()} of the key's first byte. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Returns the length of the key in bytes. */
  public int keyLength() {
    return keyLength;
  }

  /** Returns the array that contains the value. */
  public byte[] valueArray() {
    return valueArray;
  }

  /** Returns the index in {@link #valueArray()} of the value's first byte. */
  public int valueOffset() {
    return valueOffset;
  }

  /** Returns the length of the value in bytes. */
  public int valueLength() {
    return valueLength;
  }

  /** Moves to the first entry. */
  public void seekToFirst() throws IOException {
    begin();
    scanFrom(from);
  }

  /** Moves to the last entry. */
  public void seekToLast() throws IOException {
    begin();
    backFrom(to);
  }

  /**
   * Moves to the first entry whose key is not less than the given one, which may have any length.
   */
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

  /**
   * Moves to the last entry whose key is not greater than the given one, which may have any length.
   */
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

  /** Moves to the next entry. The cursor must stand at one. */
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

  /** Moves to the previous entry. The cursor must stand at one. */
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

  /** Returns a copy of the key. */
  public byte[] copyOfKey() {
    return Arrays.copyOfRange(keyArray, keyOffset, keyOffset + keyLength);
  }

  /** Returns a copy of the value. */
  public byte[] copyOfValue() {
    return Arrays.copyOfRange(valueArray, valueOffset, valueOffset + valueLength);
  }

  /**
   * Returns a key that the cursor has reached: that of its entry, or a recent one that it has
   * passed over; null if there is none.
   */
  public @Nullable PartitionKey reached() {
    if (valid) {
      return KeyValueTable.key(copyOfKey());
    }
    return passed.length() == 0 ? null : passed;
  }

  /** Counts an iteration that ended early: by its timeout, or cancelled by its user. */
  public void ended(boolean isTimeout) {
    snapshot.ended(isTimeout);
  }

  private void requireValid() {
    if (!valid) {
      throw new IllegalStateException("stands at no entry: seek one first");
    }
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
      keyArray = key.bytes();
      keyOffset = key.offset();
      keyLength = key.length();
      valueArray = row.bytes();
      valueOffset = row.valueOffset();
      valueLength = row.valueLength();
      valid = true;
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
      PartitionKey first = parts.poll();
      copy(first == null ? sampleBefore(behind) : first, behind, isFirst);
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
  private PartitionKey sampleBefore(@Nullable PartitionKey behind) {
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
          parts.push(stretchFrom);
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
    keyArray = stretch.bytes();
    keyOffset = stretch.keyOffset(entry);
    keyLength = stretch.keyLength(entry);
    valueArray = stretch.bytes();
    valueOffset = stretch.valueOffset(entry);
    valueLength = stretch.valueLength(entry);
    valid = true;
  }

  @Override
  public void close() throws IOException {
    valid = false;
    scan = null;
    snapshot.close();
  }
}
