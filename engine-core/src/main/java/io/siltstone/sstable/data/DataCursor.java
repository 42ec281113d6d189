package io.siltstone.sstable.data;

import io.siltstone.bytes.BigEndian;
import io.siltstone.chunk.ExpectedEnd;
import io.siltstone.cursor.ByteOrigin;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the partitions of a data file from front to back, and skips rows that are not requested.
 *
 * <pre>
 *   key        short n, n bytes
 *   deletion   see {@link DeletionTimes}
 *   static row only if the header has static columns; may be empty
 *   rows and markers in clustering order
 *   end        byte 0x01
 * </pre>
 *
 * <p><b>How the bytes of a partition are read.</b> Suppose that partition {@code k} has the rows
 * {@code 1}, {@code 2} and {@code 3}, and that a slice requests row {@code 2}.
 *
 * <ol>
 *   <li>{@link #nextPartition} makes key and deletion available in the {@link ByteWindow}, an array
 *       that holds the decompressed bytes around the current position, and compares the key with
 *       the one before.
 *   <li>{@link #peek()} reads the head of row {@code 1}: flags, clustering and size. The {@link
 *       Unfiltered} now points at these bytes in the window; nothing has been copied.
 *   <li>The slice begins later, so {@link #pass()} moves over the row by its size.
 *   <li>{@link #peek()} reads the head of row {@code 2} and compares its clustering with that of
 *       row {@code 1}, which still lies in the window.
 *   <li>{@link #read()} makes the whole row available, and the caller walks over its cells. Row
 *       {@code 3} follows the slice, so the caller stops.
 * </ol>
 *
 * <p>The cursor checks the order of what it moves over, because merges, slices and single-row reads
 * depend on it: keys ascend, rows and markers of a partition ascend, none occurs twice, and each
 * range tombstone that begins ends before the next begins. A violation is a {@link
 * CorruptSSTableException} with the offset of the row that does not fit. {@link #allowDisorder}
 * turns these checks off for a scrub. Source: Cassandra {@code SSTableIdentityIterator}, {@code
 * UnfilteredSerializer}.
 */
public final class DataCursor implements PartitionCursor, ByteOrigin {
  private final ByteWindow window;
  private final RowEncoding encoding;
  private final ClusteringComparator comparator;
  private final FormatVersion version;
  private final Partitioner partitioner;
  private final boolean hasStatic;
  private final Unfiltered unfiltered;
  private final RowOrderCheck order;

  private final long[] hash = new long[2];
  private PartitionKey key = new PartitionKey();
  private PartitionKey previousKey = new PartitionKey();
  private boolean hasKey;
  private long end;
  private CancelSignal cancelSignal = CancelSignal.NEVER;
  private long partitionPosition;
  private long deletionTimestamp = DeletionTime.NO_TIMESTAMP;
  private long deletionLocalTime = DeletionTime.NO_DELETION_TIME;
  // The position after the head of the partition, once that has been read.
  private long headEnd;
  private boolean hasHead;
  private boolean inPartition;
  private boolean staticPending;
  // Length of the row or marker whose head has been read, or 0.
  private long peeked;
  private long unfilteredPosition;
  // The position of the first row of the partition, after its static row; -1 if it is unknown.
  private long rowsFrom;
  private boolean allowsDisorder;
  // The keys that an index has for the range; null if they need not be checked.
  private @Nullable ExpectedKeys expected;

  /**
   * Creates a cursor before the first partition.
   *
   * @param window over the data file, at the beginning of a partition; taken over
   * @param end position after the last partition to be read
   */
  public DataCursor(
      ByteWindow window,
      RowEncoding encoding,
      FormatVersion version,
      Partitioner partitioner,
      long end) {
    this.window = window;
    this.encoding = encoding;
    this.comparator = new ClusteringComparator(encoding.header().clusteringTypes());
    this.version = version;
    this.partitioner = partitioner;
    this.hasStatic = encoding.header().hasStatic();
    this.unfiltered = new Unfiltered(encoding, this);
    this.order = new RowOrderCheck(window, comparator, unfiltered);
    this.end = end;
  }

  @Override
  public RowEncoding encoding() {
    return encoding;
  }

  /** Checks a cancellation signal whenever a row or marker is passed over. */
  public void cancelOn(CancelSignal signal) {
    cancelSignal = signal;
  }

  /**
   * Turns the checks of the order off, for a scrub: the cursor returns rows and markers in any
   * order, static rows between other rows, and range tombstones without a beginning or an end.
   */
  public void allowDisorder() {
    allowsDisorder = true;
  }

  /**
   * Moves to the beginning of a partition.
   *
   * @param newEnd position after the last partition to be read
   */
  public void seek(long position, long newEnd) {
    window.seek(position);
    end = newEnd;
    inPartition = false;
    hasKey = false;
  }

  /**
   * Moves to the beginning of the partition whose head was read last, as {@link #nextPartition()}
   * does. The head is not read again, because it may be far from the requested rows.
   *
   * @return false, with nothing changed, if it is not {@code expected} at {@code position}
   */
  public boolean returnTo(long position, PartitionKey expected) {
    if (!hasHead || partitionPosition != position || key.compareTo(expected) != 0) {
      return false;
    }
    window.seek(headEnd);
    hasKey = true;
    enterPartition();
    return true;
  }

  /**
   * Checks the keys against those that the index has for the range. The index has no checksum, so
   * its positions may be wrong.
   *
   * @param firstKey key of the first partition, or null if it need not be checked
   * @param keyAfter a key that is greater than all keys of the range, or null
   * @param otherwise creates the exception for a key that differs, from the position in the data
   *     that the index has for it, and the reason
   */
  public void expect(
      @Nullable PartitionKey firstKey,
      @Nullable PartitionKey keyAfter,
      BiFunction<Long, String, CorruptSSTableException> otherwise) {
    expected = new ExpectedKeys(firstKey, keyAfter, otherwise);
  }

  @Override
  public boolean nextPartition() throws IOException {
    while (inPartition) {
      if (peek()) {
        pass();
      }
    }
    if (window.position() >= end) {
      return false;
    }
    if (expected == null) {
      readPartitionHead();
    } else {
      readExpectedHead(expected);
    }
    return true;
  }

  private void readExpectedHead(ExpectedKeys keys) throws IOException {
    try {
      readPartitionHead();
    } catch (CorruptSSTableException e) {
      throw keys.unreadable(partitionPosition, e);
    }
    keys.check(key, partitionPosition, end);
  }

  private void readPartitionHead() throws IOException {
    partitionPosition = window.position();
    unfilteredPosition = partitionPosition;
    hasHead = false;
    window.need(Short.BYTES);
    int length = BigEndian.getUnsignedShort(window.bytes(), window.at());
    window.need(Short.BYTES + length + 1L);
    int keyAt = window.at() + Short.BYTES;
    byte[] bytes = window.bytes();
    PartitionKey next = previousKey;
    long token = partitioner.tokenWith(bytes, keyAt, length, hash);
    next.copyFrom(bytes, keyAt, length, token, hash[1]);
    if (hasKey && next.compareTo(key) <= 0) {
      throw window.outOfOrder(
          partitionPosition, next + " follows " + key + ": out of order" + RowOrderCheck.REMEDY);
    }
    previousKey = key;
    key = next;
    hasKey = true;
    window.skip(Short.BYTES + (long) length);
    byte first = window.bytes()[window.at()];
    if (!DeletionTimes.isValid(version, first)) {
      String flags = "flags 0x" + Integer.toHexString(first & 0xff);
      throw window.corrupt(window.position(), flags + " of a partition's deletion");
    }
    int deletionLength = DeletionTimes.lengthFrom(version, first);
    window.need(deletionLength);
    deletionTimestamp = DeletionTimes.timestamp(version, window.bytes(), window.at());
    deletionLocalTime = DeletionTimes.localDeletionTime(version, window.bytes(), window.at());
    window.skip(deletionLength);
    headEnd = window.position();
    hasHead = true;
    enterPartition();
  }

  private void enterPartition() {
    inPartition = true;
    staticPending = hasStatic;
    peeked = 0;
    order.beginPartition();
    rowsFrom = hasStatic ? -1 : headEnd;
  }

  @Override
  public PartitionKey key() {
    return key;
  }

  @Override
  public long deletionTimestamp() {
    return deletionTimestamp;
  }

  @Override
  public long deletionLocalTime() {
    return deletionLocalTime;
  }

  /** Returns the position of the current partition in the uncompressed file. */
  public long partitionPosition() {
    return partitionPosition;
  }

  /** Returns the current position in the uncompressed file. */
  public long position() {
    return window.position();
  }

  /**
   * Returns the position of the current row or marker in the uncompressed file; that of the
   * partition, even if its head cannot be read, if none of the partition has been read.
   */
  public long unfilteredPosition() {
    return unfilteredPosition;
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    if (staticPending && nextStatic()) {
      return true;
    }
    if (!peek()) {
      return false;
    }
    read();
    return true;
  }

  /**
   * Moves to the static row, directly after {@link #nextPartition()}.
   *
   * @return false if it is empty, or the table has no static columns
   */
  public boolean nextStatic() throws IOException {
    if (!staticPending || !peekStatic()) {
      return false;
    }
    read();
    return !unfiltered.isEmpty();
  }

  /**
   * Reads the head of the static row.
   *
   * @return false if there is none, which only {@link #allowDisorder} permits
   */
  private boolean peekStatic() throws IOException {
    staticPending = false;
    window.need(1);
    boolean isEnd = Unfiltered.isEndOfPartition(window.bytes()[window.at()]);
    if (!isEnd) {
      readHead();
      if (unfiltered.isStatic()) {
        return true;
      }
    }
    if (!allowsDisorder) {
      throw window.outOfOrder(
          window.position(),
          (isEnd ? "the end of a partition" : "a row")
              + " where the static row must be"
              + RowOrderCheck.REMEDY);
    }
    peeked = 0;
    rowsFrom = window.position();
    return false;
  }

  /**
   * Reads the head of the next row or marker, passing over the static row if it has not been read:
   * {@link #unfiltered()} then has its clustering. {@link #read()} or {@link #pass()} must follow.
   *
   * @return false after the last
   */
  public boolean peek() throws IOException {
    if (staticPending && peekStatic()) {
      pass();
    }
    if (!inPartition) {
      return false;
    }
    need(1);
    if (Unfiltered.isEndOfPartition(window.bytes()[window.at()])) {
      if (window.bytes()[window.at()] != 1) {
        throw window.corrupt(window.position(), "flags beside the end of a partition");
      }
      if (!allowsDisorder) {
        order.checkEnd(key);
      }
      window.skip(1);
      inPartition = false;
      return false;
    }
    readHead();
    if (!allowsDisorder) {
      order.check(key, unfilteredPosition);
    }
    return true;
  }

  /** Makes bytes available in the window, which may move. */
  private void need(long count) throws IOException {
    if (count > window.available()) {
      order.keepPrevious();
      window.need(count);
    }
  }

  private void readHead() throws IOException {
    unfilteredPosition = window.position();
    need(1);
    if (order.isPrevious(unfiltered.clustering())) {
      // Not if a head is read again: the next one is still compared with the one before.
      unfiltered.turnClustering();
    }
    long length = unfiltered.wrapHead(window.bytes(), window.at(), window.limit());
    while (length < 0) {
      // The wanted length is an upper estimate; the file may end earlier, which can suffice.
      long wanted = -length;
      if (length == Long.MIN_VALUE || window.available() >= window.remaining()) {
        throw window.corrupt(
            unfilteredPosition, "a row or marker reaches beyond the end of the file");
      }
      need(Math.min(wanted, window.remaining()));
      length = unfiltered.wrapHead(window.bytes(), window.at(), window.limit());
    }
    if (length > end - unfilteredPosition) {
      if (expected != null) {
        expected.checkEnd(end);
      }
      throw window.corrupt(
          unfilteredPosition, "a row or marker of " + length + " bytes, the data ends at " + end);
    }
    try {
      comparator.check(unfiltered.clustering());
    } catch (IllegalArgumentException e) {
      throw window.corrupt(
          unfilteredPosition, "a clustering value has no order: " + e.getMessage());
    }
    peeked = length;
  }

  /**
   * Reads the whole row or marker whose head {@link #peek()} has read, and moves over it. {@link
   * #unfiltered()} then has its cells or deletion times.
   */
  public void read() throws IOException {
    if (peeked > window.available()) {
      need(peeked);
      unfiltered.wrapHead(window.bytes(), window.at(), window.limit());
    }
    unfiltered.readBody();
    note(true);
    advance();
  }

  /** Moves over the row or marker whose head {@link #peek()} has read. */
  public void pass() throws IOException {
    cancelSignal.throwIfCancelled();
    note(false);
    advance();
  }

  private void note(boolean isRead) throws IOException {
    if (!allowsDisorder && !unfiltered.isStatic()) {
      order.note(key, unfilteredPosition, isRead);
    }
  }

  private void advance() throws IOException {
    if (peeked > window.available()) {
      order.keepPrevious();
    }
    window.skip(peeked);
    peeked = 0;
    if (rowsFrom < 0) {
      rowsFrom = window.position();
    }
  }

  /**
   * Moves to another row or marker of the current partition.
   *
   * @param offset from the partition's beginning, as index blocks have it
   */
  public void seekWithinPartition(long offset) throws IOException {
    if (offset < 0 || offset >= end - partitionPosition) {
      throw window.corrupt(
          partitionPosition, "an index block begins " + offset + " bytes into the partition");
    }
    window.seek(partitionPosition + offset);
    staticPending = false;
    inPartition = true;
    peeked = 0;
    if (partitionPosition + offset == rowsFrom) {
      order.beginPartition();
    } else {
      order.beginWithinPartition();
    }
  }

  ByteWindow window() {
    return window;
  }

  /** Returns the length of the row or marker whose head {@link #peek()} has read. */
  long peekedLength() {
    return peeked;
  }

  /** See {@link ByteWindow#trim()}. */
  public void trim() {
    if (window.trim()) {
      unfiltered.release();
    }
  }

  /** See {@link ByteWindow#expectEnd}. */
  public void expectEnd(ExpectedEnd end, boolean isCertain) {
    window.expectEnd(end, isCertain);
  }

  /** See {@link ByteWindow#keepFromHere()}. */
  public void keepFromHere() {
    window.keepFromHere();
  }

  @Override
  public Unfiltered unfiltered() {
    return unfiltered;
  }

  @Override
  public IOException corrupt(int index, String reason) {
    return window.corrupt(window.positionOf(index), reason);
  }

  @Override
  public void close() throws IOException {
    window.close();
  }
}
