package io.siltstone.sstable.big;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.DeletionTimes;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.index.BlockIndex;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The index blocks of one partition, which are searched in the index file; {@link PartitionIndex}
 * describes their format.
 *
 * <p>Holds a single block at a time. Confined to one thread; takes over the windows.
 */
public final class IndexBlocks implements BlockIndex {
  private final ByteWindow blocksWindow;
  private final ByteWindow offsetsWindow;
  private final RowEncoding encoding;
  private final ClusteringComparator comparator;
  private final FormatVersion version;

  private int count;
  private long headerLength;
  private long deletionTimestamp;
  private long deletionLocalTime;
  private long blocksPosition;
  private long offsetsPosition;

  private int current;
  // The last row or marker before the block that is to be entered, if it was read.
  private final Clustering lastBefore = new Clustering();
  private boolean hasLastBefore;
  private long openBeforeTimestamp;
  private long openBeforeLocalTime;

  private int present = -1;
  private long reads;
  private final Clustering first = new Clustering();
  private final Clustering last = new Clustering();
  private long offset;
  private long width;
  private long openTimestamp;
  private long openLocalTime;

  /**
   * Creates a view over two windows of the same index file, one for blocks and one for their
   * offsets.
   */
  public IndexBlocks(
      ByteWindow blocksWindow,
      ByteWindow offsetsWindow,
      RowEncoding encoding,
      ClusteringComparator comparator,
      FormatVersion version) {
    this.blocksWindow = blocksWindow;
    this.offsetsWindow = offsetsWindow;
    this.encoding = encoding;
    this.comparator = comparator;
    this.version = version;
  }

  @Override
  public void openNone() {
    present = -1;
    current = 0;
    hasLastBefore = false;
    count = 0;
    reads = 0;
  }

  /** Moves to the blocks of the cursor's current entry, which may have none. */
  public void open(IndexCursor entry) throws IOException {
    openNone();
    if (entry.size() == 0) {
      return;
    }
    long position = entry.bodyPosition();
    long end = position + entry.size();
    ByteWindow window = blocksWindow;
    window.seek(position);
    window.offer(Math.min(entry.size(), 2 * Vint.MAX_LENGTH + DeletionTimes.MAX_LENGTH));
    byte[] bytes = window.bytes();
    int at = window.at();
    int limit = (int) Math.min(window.limit(), at + end - position);
    headerLength = vint(bytes, at, limit);
    at += Vint.lengthFrom(bytes[at]);
    if (at >= limit
        || !DeletionTimes.isValid(version, bytes[at])
        || at + DeletionTimes.lengthFrom(version, bytes[at]) >= limit) {
      throw window.corrupt(position, "no deletion time where one must be");
    }
    deletionTimestamp = DeletionTimes.timestamp(version, bytes, at);
    deletionLocalTime = DeletionTimes.localDeletionTime(version, bytes, at);
    at += DeletionTimes.lengthFrom(version, bytes[at]);
    long blocks = vint(bytes, at, limit);
    at += Vint.lengthFrom(bytes[at]);
    blocksPosition = window.positionOf(at);
    long room = end - blocksPosition;
    if (blocks < 2 || blocks > room / Integer.BYTES) {
      throw window.corrupt(
          position, Long.toUnsignedString(blocks) + " index blocks in " + room + " bytes");
    }
    count = (int) blocks;
    offsetsPosition = end - (long) Integer.BYTES * count;
    if (blockPosition(0) != blocksPosition) {
      throw offsetsWindow.corrupt(
          offsetsPosition,
          "the first index block begins at " + blockPosition(0) + ", it must at " + blocksPosition);
    }
  }

  private long vint(byte[] bytes, int at, int limit) throws IOException {
    if (!Vint.isWhole(bytes, at, limit)) {
      throw blocksWindow.corrupt(blocksWindow.positionOf(at), "an entry ends within a number");
    }
    return Vint.read(bytes, at);
  }

  @Override
  public long position() {
    return blocksPosition;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public long reads() {
    return reads;
  }

  /** Returns the length of the partition before its first row or marker; there must be blocks. */
  public long headerLength() {
    return headerLength;
  }

  @Override
  public long deletionTimestamp() {
    return deletionTimestamp;
  }

  @Override
  public long deletionLocalTime() {
    return deletionLocalTime;
  }

  /**
   * Reads the block of a number, from 0 on. The index has no checksum: this method checks that the
   * block has exactly the expected length; the caller has to check its content against the data.
   */
  public void read(int block) throws IOException {
    if (block == present) {
      return;
    }
    // The current block is overwritten, even if the new one turns out to be damaged.
    present = -1;
    reads++;
    long from = blockPosition(block);
    long to = block + 1 < count ? blockPosition(block + 1) : offsetsPosition;
    if (from < blocksPosition || to <= from || to > offsetsPosition) {
      throw offsetsWindow.corrupt(
          offsetsPosition + (long) Integer.BYTES * block,
          "index block " + block + " from " + from + " to " + to);
    }
    ByteWindow window = blocksWindow;
    window.seek(from);
    window.need(to - from);
    byte[] bytes = window.bytes();
    int limit = window.at() + (int) (to - from);
    int at;
    try {
      at = first.wrapPrefix(encoding, bytes, window.at(), limit);
      at = last.wrapPrefix(encoding, bytes, at, limit);
      comparator.check(first);
      comparator.check(last);
    } catch (IllegalArgumentException e) {
      throw window.corrupt(from, "index block " + block + ": " + e.getMessage());
    }
    offset = vint(bytes, at, limit);
    at += Vint.lengthFrom(bytes[at]);
    vint(bytes, at, limit);
    width = Vint.readSigned(bytes, at) + PartitionIndex.WIDTH_BASE;
    at += Vint.lengthFrom(bytes[at]);
    openTimestamp = DeletionTime.NO_TIMESTAMP;
    openLocalTime = DeletionTime.NO_DELETION_TIME;
    boolean complete = at < limit && (bytes[at] & ~1) == 0;
    if (complete && bytes[at++] != 0) {
      complete =
          at < limit
              && DeletionTimes.isValid(version, bytes[at])
              && at + DeletionTimes.lengthFrom(version, bytes[at]) <= limit;
      if (complete) {
        openTimestamp = DeletionTimes.timestamp(version, bytes, at);
        openLocalTime = DeletionTimes.localDeletionTime(version, bytes, at);
        at += DeletionTimes.lengthFrom(version, bytes[at]);
      }
    }
    boolean isPlaced = block == 0 ? offset == headerLength : offset > headerLength;
    if (!complete || at != limit || !isPlaced || width <= 0) {
      throw window.corrupt(
          from, "index block " + block + " of " + width + " bytes at " + offset + " is damaged");
    }
    present = block;
  }

  private long blockPosition(int block) throws IOException {
    offsetsWindow.seek(offsetsPosition + (long) Integer.BYTES * block);
    offsetsWindow.need(Integer.BYTES);
    return blocksPosition + BigEndian.getInt(offsetsWindow.bytes(), offsetsWindow.at());
  }

  /** Returns the clustering of the first row or marker of the block that was read last. */
  public Clustering first() {
    return first;
  }

  /** Returns the clustering of the last row or marker of the block that was read last. */
  public Clustering last() {
    return last;
  }

  /**
   * Returns the offset in bytes of the block that was read last, from the partition's beginning.
   */
  public long lastReadOffset() {
    return offset;
  }

  /** Returns the length in bytes of the block that was read last. */
  public long width() {
    return width;
  }

  /**
   * Returns the timestamp of the range tombstone that is open at the end of the block that was read
   * last, {@link DeletionTime#NO_TIMESTAMP} if none is.
   */
  public long endTimestamp() {
    return openTimestamp;
  }

  /** Returns the local deletion time that belongs to {@link #endTimestamp()}. */
  public long endLocalTime() {
    return openLocalTime;
  }

  @Override
  public void toFirst() {
    current = 0;
    hasLastBefore = false;
  }

  @Override
  public void toLast() {
    current = count - 1;
    hasLastBefore = false;
  }

  @Override
  public void seek(Clustering bound) throws IOException {
    // The last clusterings of blocks would sometimes allow to skip one block more, but that could
    // not be verified without reading it. The first block has what is before all blocks.
    current = Math.max(0, lastStartingNotBehind(bound));
    hasLastBefore = false;
  }

  @Override
  public boolean skip(long blocks) {
    hasLastBefore = false;
    if (blocks >= count - current) {
      return false;
    }
    current += (int) blocks;
    return true;
  }

  @Override
  public boolean previous() {
    hasLastBefore = false;
    if (current == 0) {
      return false;
    }
    current--;
    return true;
  }

  @Override
  public long ordinal() {
    return current;
  }

  @Override
  public boolean isFirst() {
    return current == 0;
  }

  @Override
  public String name() {
    return "block " + current;
  }

  @Override
  public long offset() throws IOException {
    read(current);
    return offset;
  }

  @Override
  public long end() throws IOException {
    read(current);
    return offset + width;
  }

  @Override
  public boolean reaches(Clustering bound) throws IOException {
    read(current);
    return comparator.compare(bound, last) <= 0;
  }

  @Override
  public boolean isProbablyFrom(long from, Clustering bound) {
    return false;
  }

  @Override
  public boolean isFollowedBy(Clustering clustering) {
    return false;
  }

  @Override
  public void readOpen() throws IOException {
    openBeforeTimestamp = DeletionTime.NO_TIMESTAMP;
    openBeforeLocalTime = DeletionTime.NO_DELETION_TIME;
    hasLastBefore = current > 0;
    if (hasLastBefore) {
      read(current - 1);
      lastBefore.copyFrom(last);
      openBeforeTimestamp = openTimestamp;
      openBeforeLocalTime = openLocalTime;
    }
  }

  @Override
  public long openTimestamp() {
    return openBeforeTimestamp;
  }

  @Override
  public long openLocalTime() {
    return openBeforeLocalTime;
  }

  @Override
  public boolean copyLastBefore(Clustering to) {
    if (hasLastBefore) {
      to.copyFrom(lastBefore);
    }
    return hasLastBefore;
  }

  @Override
  public boolean hasClusterings() {
    return true;
  }

  @Override
  public void copyFirst(Clustering to) throws IOException {
    read(current);
    to.copyFrom(first);
  }

  @Override
  public @Nullable String beginsWith(Clustering clustering) throws IOException {
    read(current);
    if (comparator.compare(clustering, first) != 0) {
      return "begins with another row than is said";
    }
    if (hasLastBefore && comparator.compare(lastBefore, clustering) >= 0) {
      return "does not begin after the end of the one before";
    }
    hasLastBefore = false;
    return null;
  }

  @Override
  public @Nullable String misplaced(long ordinal, long at, Clustering clustering)
      throws IOException {
    int block = (int) ordinal;
    read(block);
    if (at >= offset + width && block + 1 < count) {
      block++;
      read(block);
    }
    return at < offset + width && comparator.compare(clustering, last) > 0
        ? "block " + block + " has a row or marker that lies after its last one"
        : null;
  }

  /**
   * Returns the last block whose first clustering is at or before {@code bound}; -1 if there is
   * none.
   */
  private int lastStartingNotBehind(Clustering bound) throws IOException {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      read(middle);
      if (comparator.compare(first, bound) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  @Override
  public void close() throws IOException {
    try (blocksWindow) {
      offsetsWindow.close();
    }
  }
}
