package io.siltstone.compaction.task;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what can be read of a damaged SSTable: damaged are chunks whose checksum is wrong, what
 * cannot be parsed, and what the disk does not give back. Chunks are read one by one, so that an
 * error of the disk costs no more than it must.
 *
 * <p>Of a partition the rows before a damage are kept, and those behind it from the next index
 * block on that can be read; else the index tells where the next partition begins. Without an index
 * what is after a damage is lost.
 *
 * <p>What is sound, but not in order, is kept as well. Partitions that do not follow the one before
 * are noted, to be read once more for an SSTable of their own, as many at a time as a fixed amount
 * of memory allows. A partition whose rows or markers are out of order, which is found by reading
 * it once before it is written, is {@linkplain DisorderedRows taken apart}. Confined to one thread,
 * closed by its opener.
 */
final class Salvage implements Closeable {
  /** Partitions that wait at most, some hundred bytes each. */
  private static final int MOST_LATE = 16 * 1024;

  private final SSTable input;
  private final SharedProgress shared;
  private final DataCursor data;
  private final IndexCursor index;
  private final IndexBlocks blocks;
  private final ClusteringComparator order;
  private final KeyText keyText;
  private final StageCounters.Flow written = new StageCounters.Flow();
  private final OutOfOrderRows.OutputSSTables outputSSTables;
  private final OutOfOrderRows outOfOrderRows;
  private final List<String> losses = new ArrayList<>();
  private List<Place> late = new ArrayList<>();
  // Kept: partitions that were found, and rows.
  private long partitions;
  private long rowsKept;
  private long partitionsMoved;
  private long rowsMoved;
  // Whether something of the present partition does not fit to what came before.
  private boolean hasMisfit;
  // Where it was looked last whether to go on, and up to where it was told that it was read.
  private long looked;
  private long told;

  // Of the partition that is being read, if the index tells of it.
  private final PartitionKey key = new PartitionKey();
  // Of the one behind it, if the index tells of one.
  private final PartitionKey nextKey = new PartitionKey();
  private final long[] hash = new long[2];
  private long nextPosition = -1;
  private boolean hasIndex = true;
  // Whether key is that of the partition that is being read, by the index.
  private boolean isTold;

  // What the index says of where a block begins: the last row or marker before, and what is open.
  private final Clustering lastBefore = new Clustering();
  private long openTimestamp;
  private long openLocalTime;

  /** Where a partition lies. */
  private record Place(PartitionKey key, long position) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int compared = key.compareTo(other.key);
      return compared != 0 ? compared : Long.compare(position, other.position);
    }
  }

  /**
   * @param outputSSTables opens SSTables for what is out of order
   */
  Salvage(
      SSTable input,
      SharedProgress shared,
      TaskOptions options,
      OutOfOrderRows.OutputSSTables outputSSTables)
      throws IOException {
    this.input = input;
    this.shared = shared;
    this.outputSSTables = outputSSTables;
    this.outOfOrderRows = new OutOfOrderRows(input, written, outputSSTables);
    this.order = new ClusteringComparator(input.header().clusteringTypes());
    this.keyText = new KeyText(input);
    this.index = input.indexEntries();
    this.blocks = input.indexBlocks();
    try {
      this.data =
          input.scan(
              options.access(shared, 1).withAhead(null).withReadAheadBytes(0).checked(),
              PartitionRange.ALL);
      data.allowDisorder();
    } catch (Throwable e) {
      try (index) {
        blocks.close();
      }
      throw e;
    }
  }

  /** What was written. */
  StageCounters.Flow written() {
    return written;
  }

  /** Partitions that were found, those with nothing in them too, which are not written. */
  long partitions() {
    return partitions;
  }

  /** Rows that were read and kept; those that occur several times count as often. */
  long rows() {
    return rowsKept;
  }

  /** What is lost or assumed, one sentence each. */
  List<String> losses() {
    return losses;
  }

  /** What was not where it belongs, and is in another SSTable now; empty if nothing was. */
  String moved() {
    return partitionsMoved == 0 && rowsMoved == 0
        ? ""
        : partitionsMoved + " partitions and " + rowsMoved + " rows";
  }

  /** Writes all that can be read: to {@code writer} what is in order, the rest to others. */
  void copyTo(SSTableWriter writer) throws IOException {
    SalvagedRows rows = new SalvagedRows(input, writer, written);
    long position = 0;
    while (position < input.dataLength()) {
      shared.check();
      seekIndexBehind(position);
      long next = nextPosition;
      long behind = copy(rows, position, true);
      if (behind < 0 && next <= position) {
        losses.add(
            input
                + ": "
                + (input.dataLength() - position)
                + " bytes from "
                + position
                + " on are lost, as no index entry tells of a partition behind");
        break;
      }
      position = behind < 0 ? next : behind;
      report(position, 1);
      if (late.size() >= MOST_LATE) {
        copyLate();
      }
    }
    if (!late.isEmpty()) {
      copyLate();
    }
    outOfOrderRows.flush();
  }

  /** Writes the partitions that wait to an SSTable of their own. */
  private void copyLate() throws IOException {
    Collections.sort(late);
    List<Place> present = late;
    late = new ArrayList<>();
    partitionsMoved += present.size();
    blocks.openNone();
    isTold = false;
    SSTableWriter writer = outputSSTables.next();
    SalvagedRows rows = new SalvagedRows(input, writer, written);
    for (Place place : present) {
      report(place.position(), 1);
      copy(rows, place.position(), false);
    }
    outputSSTables.done(writer);
  }

  /** Tells how far it is, and hears whether it is to go on, if it is so far from the last time. */
  private void report(long position, long least) {
    // What waited for another SSTable lies behind, and was told when it was put off.
    if (Math.abs(position - looked) >= least) {
      looked = position;
      long more = Math.max(0, position - told);
      told += more;
      shared.read(more);
    }
  }

  /**
   * Moves to the first entry behind a position in the data, or to the end of the index; and turns
   * to the blocks of the entry for that position.
   */
  private void seekIndexBehind(long position) throws IOException {
    blocks.openNone();
    isTold = false;
    try {
      while (hasIndex && nextPosition <= position) {
        if (nextPosition == position) {
          isTold = true;
          openBlocks();
        }
        hasIndex = index.next();
        if (hasIndex) {
          index.wrapKey(nextKey, input.partitioner(), hash);
          if (index.dataPosition() <= nextPosition || index.dataPosition() >= input.dataLength()) {
            throw new CorruptSSTableException(
                input.toString(),
                Component.PRIMARY_INDEX,
                index.position(),
                "entry of " + nextKey + " points to " + index.dataPosition());
          }
          nextPosition = index.dataPosition();
        }
      }
    } catch (IOException e) {
      // What cannot be read of the index is only missed if the data is damaged too.
      requireDamage(e);
      hasIndex = false;
    }
  }

  private void openBlocks() throws IOException {
    key.copyFrom(nextKey);
    try {
      blocks.open(index);
    } catch (IOException e) {
      requireDamage(e);
      blocks.openNone();
    }
  }

  /**
   * Writes one partition.
   *
   * @param mayWait whether it is left for later if it does not follow what was written
   * @return where the data goes on, or -1 if it cannot be told
   */
  private long copy(SalvagedRows rows, long position, boolean mayWait) throws IOException {
    @Nullable String damage = readHead(position);
    if (damage == null) {
      boolean follows = rows.canFollow(data.key());
      if (mayWait && (!follows || isAhead(rows, position))) {
        return putOff(position);
      }
      partitions++;
      if (!follows) {
        // Not even among those that have waited: there is another of this key.
        return takeApart(null, position);
      }
      if (isDisordered(rows, position)) {
        readHead(position);
        rows.begin(data.key(), data.deletionTimestamp(), data.deletionLocalTime());
        return takeApart(rows, position);
      }
      readHead(position);
      rows.begin(data.key(), data.deletionTimestamp(), data.deletionLocalTime());
      damage = copyRows(rows);
    } else if (blocks.count() > 0 && rows.canFollow(key) && isCredible()) {
      rows.begin(key, blocks.deletionTimestamp(), blocks.deletionLocalTime());
    } else {
      String lost = isTold ? "the partition of " + keyText.of(key) + " at " : "a partition at ";
      lose(lost + position, nextTold(position), damage);
      return -1;
    }
    return copyBehind(rows, position, damage);
  }

  /** Writes what follows the damage of a partition; ends the partition. */
  private long copyBehind(SalvagedRows rows, long position, @Nullable String first)
      throws IOException {
    @Nullable String damage = first;
    int block = -1;
    while (damage != null) {
      String lost =
          "what is after "
              + rows.count()
              + " rows and markers of "
              + keyText.of(rows.key())
              + " at "
              + position;
      block = goOnBehind(block, rows);
      if (block < 0) {
        lose(lost, nextTold(position), damage);
        rows.end();
        return -1;
      }
      lose(lost, "what its index tells of goes on at " + (position + blocks.offset()), damage);
      damage = copyRows(rows);
    }
    rows.end();
    return data.position();
  }

  /**
   * Whether a partition lies before others that belong before it: the index knows of the next that
   * it follows what was written, and that the present one does not precede it.
   */
  private boolean isAhead(SalvagedRows rows, long position) {
    return isTold
        && nextPosition > position
        && data.key().compareTo(nextKey) >= 0
        && rows.canFollow(nextKey);
  }

  /** Whether rows or markers of a partition do not fit to each other; reads it to see. */
  private boolean isDisordered(SalvagedRows rows, long position) throws IOException {
    int told = losses.size();
    long kept = rowsKept;
    hasMisfit = false;
    rows.beginTrial(data.key());
    @Nullable String damage = copyRows(rows);
    if (!hasMisfit) {
      copyBehind(rows, position, damage);
    }
    losses.subList(told, losses.size()).clear();
    rowsKept = kept;
    return hasMisfit;
  }

  /**
   * Writes a partition, whose head has been read, in parts: those rows that are in order, if
   * somebody takes them, and the rest to another SSTable.
   *
   * @return where the data goes on, or -1 if it cannot be told
   */
  private long takeApart(@Nullable SalvagedRows rows, long position) throws IOException {
    PartitionKey of = PartitionKey.of(data.key().toByteArray(), data.key().token());
    if (rows == null && !DeletionTime.isLive(data.deletionTimestamp())) {
      outOfOrderRows.addDeletion(of, data.deletionTimestamp(), data.deletionLocalTime());
    }
    DisorderedRows parts = new DisorderedRows(input, of, rows, outOfOrderRows, losses);
    @Nullable String damage = takeApartRows(parts);
    int block = -1;
    while (damage != null) {
      String lost =
          "what is after "
              + parts.count()
              + " rows and markers of "
              + keyText.of(of)
              + " at "
              + position;
      parts.beginGap();
      block = nextReadable(block);
      if (block < 0) {
        lose(lost, nextTold(position), damage);
        break;
      }
      lose(lost, "what its index tells of goes on at " + (position + blocks.offset()), damage);
      if (block > 0) {
        parts.endGap(lastBefore, openTimestamp, openLocalTime);
      }
      damage = takeApartRows(parts);
    }
    rowsMoved += parts.end();
    if (rows != null) {
      rows.end();
    }
    return damage == null ? data.position() : -1;
  }

  /** Goes through what follows, up to the end of the partition; returns what is wrong, or null. */
  private @Nullable String takeApartRows(DisorderedRows parts) throws IOException {
    while (true) {
      try {
        if (!data.nextUnfiltered()) {
          return null;
        }
        report(data.position(), InputCursor.STEP_BYTES);
        parts.check(data.unfiltered());
      } catch (IOException e) {
        return told(e);
      }
      rowsKept += data.unfiltered().isMarker() ? 0 : 1;
      parts.add(data.unfiltered());
    }
  }

  /** Goes to the next index block after the damage that can be read; -1 if there is none. */
  private int nextReadable(int last) throws IOException {
    long damaged = data.unfilteredPosition() - data.partitionPosition();
    for (int block = last + 1; block < blocks.count(); block++) {
      if (isReadable(block, damaged)) {
        return block;
      }
    }
    return -1;
  }

  /** Whether what the index says of the partition may be true; it has no checksum. */
  private boolean isCredible() {
    StatsMetadata stats = input.statistics().stats();
    long deletion = blocks.deletionTimestamp();
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    return input.mightContain(key, hash[0], hash[1])
        && (nextPosition <= data.partitionPosition() || key.compareTo(nextKey) < 0)
        && (DeletionTime.isLive(deletion)
            || (deletion >= stats.minTimestamp() && deletion <= stats.maxTimestamp()));
  }

  /** Returns what is wrong, or null. */
  private @Nullable String readHead(long position) throws IOException {
    data.seek(position, input.dataLength());
    try {
      data.nextPartition();
      return null;
    } catch (IOException e) {
      return told(e);
    }
  }

  /** Writes what follows, up to the end of the partition; returns what is wrong, or null. */
  private @Nullable String copyRows(SalvagedRows rows) throws IOException {
    while (true) {
      try {
        if (!data.nextUnfiltered()) {
          rows.requireWhole();
          return null;
        }
        report(data.position(), InputCursor.STEP_BYTES);
        rows.checkCells(data.unfiltered());
        rows.checkOrder(data.unfiltered());
      } catch (IOException e) {
        return told(e);
      } catch (SalvagedRows.Misfit e) {
        hasMisfit = true;
        return Component.DATA.fileName()
            + " at offset "
            + data.unfilteredPosition()
            + ": "
            + e.getMessage();
      }
      // Not among what may be damaged: what the writer throws ends the scrub.
      rowsKept += data.unfiltered().isMarker() ? 0 : 1;
      rows.add(data.unfiltered());
    }
  }

  /** Leaves a partition for later; returns where the next begins, or -1 if it cannot be told. */
  private long putOff(long position) throws IOException {
    late.add(new Place(PartitionKey.of(data.key().toByteArray(), data.key().token()), position));
    try {
      while (data.nextUnfiltered()) {
        // Only to find its end.
        report(data.position(), InputCursor.STEP_BYTES);
      }
      return data.position();
    } catch (IOException e) {
      // It is told when it is read again.
      requireDamage(e);
      return -1;
    }
  }

  /**
   * Goes to the next index block behind the damage that can be read and fits to what was written.
   *
   * @param last that was gone to in this partition, -1 if none
   * @return -1 if there is none
   */
  private int goOnBehind(int last, SalvagedRows rows) throws IOException {
    long damaged = data.unfilteredPosition() - data.partitionPosition();
    for (int block = last + 1; block < blocks.count(); block++) {
      if (isReadable(block, damaged) && goOnAt(block, rows)) {
        return block;
      }
    }
    return -1;
  }

  private boolean goOnAt(int block, SalvagedRows rows) throws IOException {
    // Before the first there are no rows, only what may be damaged: the head and the static row.
    return block == 0
        ? rows.isAtFirst()
        : rows.goOn(lastBefore, blocks.first(), openTimestamp, openLocalTime);
  }

  /** Whether a block begins behind the damage and where it is said to; the data is there then. */
  private boolean isReadable(int block, long damaged) throws IOException {
    try {
      openTimestamp = DeletionTime.NO_TIMESTAMP;
      if (block > 0) {
        blocks.read(block - 1);
        lastBefore.copyFrom(blocks.last());
        openTimestamp = blocks.openTimestamp();
        openLocalTime = blocks.openLocalTime();
      }
      blocks.read(block);
      if (blocks.offset() <= damaged) {
        return false;
      }
      data.seekWithinPartition(blocks.offset());
      boolean isThere =
          data.peek() && order.compare(data.unfiltered().clustering(), blocks.first()) == 0;
      if (isThere && !DeletionTime.isLive(openTimestamp)) {
        isThere = isOpen(openTimestamp, openLocalTime);
        data.seekWithinPartition(blocks.offset());
      }
      return isThere;
    } catch (IOException e) {
      // The damage reaches over it, or its entry is damaged: perhaps the next one.
      requireDamage(e);
      return false;
    }
  }

  /**
   * Whether a range tombstone is open before the present block as the one before it says, which has
   * no checksum: the next marker ends it; or, if there is none in the block, it is open at its end,
   * too.
   */
  private boolean isOpen(long timestamp, long localTime) throws IOException {
    long end = data.partitionPosition() + blocks.offset() + blocks.width();
    while (data.position() < end && data.peek()) {
      Unfiltered next = data.unfiltered();
      if (next.isMarker()) {
        data.read();
        return next.clustering().kind().closes()
            && next.deletionTimestamp() == timestamp
            && next.deletionLocalTime() == localTime;
      }
      data.pass();
    }
    return blocks.openTimestamp() == timestamp && blocks.openLocalTime() == localTime;
  }

  /** If it is not the file that is wrong, but somebody closes it, the exception goes on. */
  private static void requireDamage(IOException e) throws IOException {
    if (e instanceof ClosedChannelException || e instanceof InterruptedIOException) {
      throw e;
    }
  }

  private static String told(IOException e) throws IOException {
    requireDamage(e);
    return e instanceof CorruptSSTableException corrupt
        ? corrupt.component().fileName()
            + " at offset "
            + corrupt.offset()
            + ": "
            + corrupt.reason()
        : e.toString();
  }

  private String nextTold(long position) {
    return "the next that the index tells of is "
        + (nextPosition > position ? keyText.of(nextKey) + " at " + nextPosition : "none");
  }

  private void lose(String what, String whatIsNext, String why) {
    losses.add(input + ": " + what + " is lost, " + whatIsNext + ": " + why);
  }

  @Override
  public void close() throws IOException {
    try (data;
        blocks) {
      index.close();
    }
  }
}
