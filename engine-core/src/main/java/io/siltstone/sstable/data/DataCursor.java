package io.siltstone.sstable.data;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.ByteOrigin;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
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
 * Reads partitions of a data file from front to back, and skips rows that are not asked for.
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
 * {@code 1}, {@code 2} and {@code 3}, and that a slice asks for row {@code 2}.
 *
 * <ol>
 *   <li>{@link #nextPartition} makes key and deletion available in the {@link ByteWindow}, an array
 *       that holds the decompressed bytes around the current position, and compares the key with
 *       the one before.
 *   <li>{@link #peek()} reads the head of row {@code 1}: flags, clustering and size. The {@link
 *       Unfiltered} now points at these bytes in the window; nothing has been copied.
 *   <li>The slice begins later, so {@link #pass()} moves over the row by its size. Its cells are
 *       not looked at.
 *   <li>{@link #peek()} reads the head of row {@code 2} and compares its clustering with that of
 *       row {@code 1}, which still lies in the window.
 *   <li>{@link #read()} makes the whole row available, and the caller walks over its cells.
 *   <li>Row {@code 3} follows the slice, so the caller stops, or calls {@link #nextPartition},
 *       which moves to the end mark.
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
  private static final int KEY_LENGTH_BYTES = Short.BYTES;

  /** The end of each message about a wrong order. */
  private static final String REMEDY = "; scrub writes such an SSTable in order";

  /** Whether a range tombstone is open at the current position. */
  private enum Range {
    /** The cursor has not come here from the beginning of the partition. */
    UNKNOWN,
    NONE,
    OPEN,
    /** Open, and the timestamp of its start was read. */
    OPEN_KNOWN
  }

  private final ByteWindow window;
  private final RowEncoding encoding;
  private final ClusteringComparator order;
  private final FormatVersion version;
  private final Partitioner partitioner;
  private final boolean hasStatic;
  private final Unfiltered unfiltered;

  private final long[] hash = new long[2];
  private PartitionKey key = new PartitionKey();
  private PartitionKey previousKey = new PartitionKey();
  private boolean hasKey;
  private long end;
  private CancelSignal cancelSignal = CancelSignal.NEVER;
  private long partitionPosition;
  private long deletionTimestamp = DeletionTime.NO_TIMESTAMP;
  private long deletionLocalTime = DeletionTime.NO_DELETION_TIME;
  // Behind the head of the partition, once that has been read.
  private long headEnd;
  private boolean hasHead;
  private boolean inPartition;
  private boolean staticPending;
  // Length of the unfiltered whose head has been read, or 0.
  private long peeked;
  private long unfilteredPosition;
  // The row or marker that was moved over last, to compare the next one with; not the static row.
  // It is a view of the window as long as that stays as it is, and copied before it moves: once per
  // window, rather than once per row.
  private Clustering previous = new Clustering();
  private final Clustering previousCopy = new Clustering();
  private boolean hasPrevious;
  private Range range = Range.NONE;
  private long openTimestamp;
  // Where the rows of the partition begin, after its static row; -1 if that is not known yet.
  private long rowsFrom;
  private boolean allowsDisorder;
  // What an index said of the range to be read.
  private @Nullable PartitionKey first;
  private @Nullable PartitionKey behind;
  private @Nullable BiFunction<Long, String, CorruptSSTableException> misplaced;

  /**
   * @param window over the data file, at the beginning of a partition; taken over
   * @param end position behind the last partition to be read
   */
  public DataCursor(
      ByteWindow window,
      RowEncoding encoding,
      FormatVersion version,
      Partitioner partitioner,
      long end) {
    this.window = window;
    this.encoding = encoding;
    this.order = new ClusteringComparator(encoding.header().clusteringTypes());
    this.version = version;
    this.partitioner = partitioner;
    this.hasStatic = encoding.header().hasStatic();
    this.unfiltered = new Unfiltered(encoding, this);
    this.end = end;
  }

  @Override
  public RowEncoding encoding() {
    return encoding;
  }

  /** Whose beginning ends steps that pass over rows or markers, from now on. */
  public void cancelOn(CancelSignal of) {
    cancelSignal = of;
  }

  /**
   * Shows rows and markers in whatever order they lie, a static row among the rows, and range
   * tombstones that do not begin or end. For a scrub, which puts them in order.
   */
  public void allowDisorder() {
    allowsDisorder = true;
  }

  /** Goes on with the partition at {@code position}, up to {@code newEnd}. */
  public void seek(long position, long newEnd) {
    window.seek(position);
    end = newEnd;
    inPartition = false;
    hasKey = false;
  }

  /**
   * Goes to the beginning of the partition whose head it has read last, as {@link #nextPartition()}
   * does, but without reading it again: it may be far from the rows that are wanted.
   *
   * @return false if that was another than the one of {@code expected} at {@code position}; nothing
   *     has changed then
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
   * Says what an index has promised of the range to be read, as that has no checksum.
   *
   * @param firstKey of the first partition, or null if that need not be checked
   * @param keyBehind before which all keys lie, or null
   * @param otherwise makes the exception if it is not so, from the position in the data that the
   *     index has for {@code firstKey} or {@code keyBehind}, and the reason
   */
  public void expect(
      @Nullable PartitionKey firstKey,
      @Nullable PartitionKey keyBehind,
      BiFunction<Long, String, CorruptSSTableException> otherwise) {
    first = firstKey;
    behind = keyBehind;
    misplaced = otherwise;
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
    if (misplaced == null) {
      readPartitionHead();
    } else {
      readExpectedHead(misplaced);
    }
    return true;
  }

  private void readExpectedHead(BiFunction<Long, String, CorruptSSTableException> otherwise)
      throws IOException {
    PartitionKey expected = first;
    first = null;
    try {
      readPartitionHead();
    } catch (CorruptSSTableException e) {
      if (expected == null || e.isOfChecksum()) {
        throw e;
      }
      throw otherwise.apply(
          partitionPosition, "no partition begins at " + partitionPosition + ": " + e.reason());
    }
    if (expected != null && !key.equals(expected)) {
      throw otherwise.apply(
          partitionPosition, key + " is at " + partitionPosition + ", not " + expected);
    }
    if (behind != null && key.compareTo(behind) >= 0) {
      throw otherwise.apply(end, key + " lies before " + end + ", where " + behind + " would be");
    }
  }

  private void readPartitionHead() throws IOException {
    partitionPosition = window.position();
    unfilteredPosition = partitionPosition;
    hasHead = false;
    window.need(KEY_LENGTH_BYTES);
    int length = BigEndian.getUnsignedShort(window.bytes(), window.at());
    window.need(KEY_LENGTH_BYTES + length + 1L);
    int keyAt = window.at() + KEY_LENGTH_BYTES;
    byte[] bytes = window.bytes();
    PartitionKey next = previousKey;
    long token = partitioner.tokenWith(bytes, keyAt, length, hash);
    next.copyFrom(bytes, keyAt, length, token, hash[1]);
    if (hasKey && next.compareTo(key) <= 0) {
      throw window.outOfOrder(
          partitionPosition, next + " follows " + key + ": out of order" + REMEDY);
    }
    previousKey = key;
    key = next;
    hasKey = true;
    window.skip(KEY_LENGTH_BYTES + (long) length);
    byte first = window.bytes()[window.at()];
    if (!DeletionTimes.isValid(version, first)) {
      throw window.corrupt(
          window.position(),
          "flags 0x" + Integer.toHexString(first & 0xff) + " of a partition's deletion");
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
    hasPrevious = false;
    range = Range.NONE;
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

  /** Where the present partition begins in the uncompressed file. */
  public long partitionPosition() {
    return partitionPosition;
  }

  /** Position in the uncompressed file of what comes next. */
  public long position() {
    return window.position();
  }

  /**
   * Where the present unfiltered begins in the uncompressed file; if none of the partition has been
   * read, where that begins, also if its head cannot be read.
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
   * @return false if it says nothing, or the table has none
   */
  public boolean nextStatic() throws IOException {
    if (!staticPending || !peekStatic()) {
      return false;
    }
    read();
    return !unfiltered.isEmpty();
  }

  /** Returns false if there is none, which only {@link #allowDisorder} allows. */
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
          (isEnd ? "the end of a partition" : "a row") + " where the static row must be" + REMEDY);
    }
    peeked = 0;
    rowsFrom = window.position();
    return false;
  }

  /**
   * Reads the head of the next row or marker, passing over the static row if it has not been read:
   * {@link #unfiltered()} then has its clustering. {@link #read()} or {@link #pass()} must follow.
   *
   * @return false behind the last
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
      if (isOpen() && !allowsDisorder) {
        throw window.outOfOrder(
            window.position(), "a range tombstone of " + key + " has no end" + REMEDY);
      }
      window.skip(1);
      inPartition = false;
      return false;
    }
    readHead();
    if (!allowsDisorder) {
      checkOrder();
    }
    return true;
  }

  private boolean isOpen() {
    return range == Range.OPEN || range == Range.OPEN_KNOWN;
  }

  /** Compares what was peeked at with what was moved over last. */
  private void checkOrder() throws IOException {
    if (unfiltered.isStatic()) {
      throw window.outOfOrder(unfilteredPosition, "a static row among rows" + REMEDY);
    }
    Clustering clustering = unfiltered.clustering();
    if (hasPrevious) {
      int compared = order.compare(previous, clustering);
      if (compared >= 0) {
        throw window.outOfOrder(
            unfilteredPosition,
            (compared == 0
                    ? "a row or marker of " + key + " is there twice"
                    : "rows of " + key + " are out of order")
                + REMEDY);
      }
    }
    if (unfiltered.isMarker() && range != Range.UNKNOWN) {
      ClusteringKind kind = clustering.kind();
      if (kind.closes() != isOpen()) {
        throw window.outOfOrder(
            unfilteredPosition,
            "a "
                + kind
                + (isOpen() ? " within a range" : " outside of a range")
                + " of "
                + key
                + REMEDY);
      }
    }
  }

  /** Takes note of what the cursor moves over. */
  private void note(boolean isRead) throws IOException {
    if (allowsDisorder || unfiltered.isStatic()) {
      return;
    }
    previous = unfiltered.clustering();
    hasPrevious = true;
    if (unfiltered.isMarker()) {
      noteMarker(unfiltered.clustering().kind(), isRead);
    }
  }

  private void noteMarker(ClusteringKind kind, boolean isRead) throws IOException {
    if (isRead
        && range == Range.OPEN_KNOWN
        && kind.closes()
        && unfiltered.deletionTimestamp() != openTimestamp) {
      throw window.outOfOrder(
          unfilteredPosition,
          "a range tombstone of "
              + key
              + " begins with timestamp "
              + openTimestamp
              + " and ends with "
              + unfiltered.deletionTimestamp()
              + REMEDY);
    }
    if (!kind.opens()) {
      range = Range.NONE;
    } else if (isRead) {
      range = Range.OPEN_KNOWN;
      openTimestamp = unfiltered.openTimestamp();
    } else {
      range = Range.OPEN;
    }
  }

  /** Has bytes in the window, which may move for it. */
  private void need(long count) throws IOException {
    if (count > window.available()) {
      keepPrevious();
      window.need(count);
    }
  }

  /** Copies what the next row is compared with, before the window moves. */
  private void keepPrevious() {
    if (hasPrevious && previous != previousCopy) {
      previousCopy.copyFrom(previous);
      previous = previousCopy;
    }
  }

  private void readHead() throws IOException {
    unfilteredPosition = window.position();
    need(1);
    if (previous == unfiltered.clustering()) {
      // Not if a head is read again: the one before stays what the next is compared with.
      unfiltered.turnClustering();
    }
    long length = unfiltered.wrapHead(window.bytes(), window.at(), window.limit());
    while (length < 0) {
      // What it asks for is an estimate from above: less may be left in the file, and do.
      long wanted = -length;
      if (length == Long.MIN_VALUE || window.available() >= window.remaining()) {
        throw window.corrupt(
            unfilteredPosition, "a row or marker reaches behind the end of the file");
      }
      need(Math.min(wanted, window.remaining()));
      length = unfiltered.wrapHead(window.bytes(), window.at(), window.limit());
    }
    if (length > end - unfilteredPosition && misplaced != null && behind != null) {
      throw misplaced.apply(
          end, "a row reaches over " + end + ", where a partition is said to begin");
    }
    if (length > end - unfilteredPosition) {
      throw window.corrupt(
          unfilteredPosition, "a row or marker of " + length + " bytes, the data ends at " + end);
    }
    try {
      order.check(unfiltered.clustering());
    } catch (IllegalArgumentException e) {
      throw window.corrupt(
          unfilteredPosition, "a clustering value has no order: " + e.getMessage());
    }
    peeked = length;
  }

  /** Reads the rest of what {@link #peek()} has begun; {@link #unfiltered()} then has all of it. */
  public void read() throws IOException {
    if (peeked > window.available()) {
      need(peeked);
      unfiltered.wrapHead(window.bytes(), window.at(), window.limit());
    }
    unfiltered.readBody();
    note(true);
    moveOn();
  }

  /** Passes over what {@link #peek()} has begun. */
  public void pass() throws IOException {
    cancelSignal.throwIfCancelled();
    note(false);
    moveOn();
  }

  private void moveOn() throws IOException {
    if (peeked > window.available()) {
      keepPrevious();
    }
    window.skip(peeked);
    peeked = 0;
    if (rowsFrom < 0) {
      rowsFrom = window.position();
    }
  }

  /**
   * Goes on at another row or marker of the present partition.
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
    hasPrevious = false;
    range = partitionPosition + offset == rowsFrom ? Range.NONE : Range.UNKNOWN;
  }

  /** See {@link ByteWindow#trim()}. */
  public void trim() {
    if (window.trim()) {
      unfiltered.forget();
    }
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
