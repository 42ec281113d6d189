package io.siltstone.compaction.task;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.text.CountText;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Salvages the readable data of a damaged SSTable for a scrub. Damage is a chunk with a wrong
 * checksum, bytes that cannot be parsed, or bytes that the disk cannot read in several attempts
 * ({@link Damage}). Chunks are read one by one, so that a wrong one loses no other.
 *
 * <p>The rows of a partition before a damage are kept, and those from the next index block on that
 * can be read ({@link SalvageIndex}). If there is none, the index tells where the next partition
 * begins; without an index everything after the damage is lost.
 *
 * <p>Readable data that is out of order is kept as well. A partition that does not follow the one
 * before is noted, and read again later for an SSTable of its own; a fixed number is noted at a
 * time. A partition whose rows or markers are out of order is recognized by a trial, which reads it
 * once before it is written, and is {@linkplain DisorderedRows taken apart}. Confined to one
 * thread, closed by its opener.
 */
final class Salvage implements Closeable {
  /** The greatest number of late partitions that are noted, some hundred bytes each. */
  private static final int MAX_LATE_PARTITIONS = 16 * 1024;

  private final SSTable input;
  private final SharedProgress shared;
  private final DataCursor data;
  private final SalvageIndex index;
  private final KeyText keyText;
  private final StageCounters.Flow written = new StageCounters.Flow();
  private final OutOfOrderRows.Outputs outputs;
  private final OutOfOrderRows outOfOrderRows;
  private final List<String> losses = new ArrayList<>();
  private List<Place> latePartitions = new ArrayList<>();

  private long partitions;
  private long rowsKept;
  private long partitionsMoved;
  private long rowsMoved;

  // Whether a row or marker of the present partition does not fit the previous ones.
  private boolean hasMisfit;

  // Where the progress was checked last, and up to where bytes were reported as read.
  private long checkedPosition;
  private long reportedPosition;

  /** The place of a partition in the data. */
  private record Place(PartitionKey key, long position) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int compared = key.compareTo(other.key);
      return compared != 0 ? compared : Long.compare(position, other.position);
    }
  }

  /**
   * Opens the SSTable for salvaging.
   *
   * @param outputs opens SSTables for what is out of order
   */
  Salvage(SSTable input, SharedProgress shared, TaskOptions options, OutOfOrderRows.Outputs outputs)
      throws IOException {
    this.input = input;
    this.shared = shared;
    this.outputs = outputs;
    this.outOfOrderRows = new OutOfOrderRows(input, written, outputs);
    this.keyText = new KeyText(input);
    this.data = input.scan(options.resources().access(shared, 1).forSalvage(), PartitionRange.ALL);
    try {
      data.allowDisorder();
      this.index = new SalvageIndex(input, data, keyText);
    } catch (Throwable e) {
      try (data) {
        throw e;
      }
    }
  }

  /** Returns the counts of what was written. */
  StageCounters.Flow written() {
    return written;
  }

  /** Returns the number of partitions found, including empty ones, which are not written. */
  long partitions() {
    return partitions;
  }

  /** Returns the number of rows kept; a row that occurs several times counts as often. */
  long rows() {
    return rowsKept;
  }

  /** Returns what is lost or assumed, one sentence each. */
  List<String> losses() {
    return losses;
  }

  /** Describes what was out of order, and was written to another SSTable; empty if nothing was. */
  String moved() {
    return partitionsMoved == 0 && rowsMoved == 0
        ? ""
        : CountText.of(partitionsMoved, "partition") + " and " + CountText.of(rowsMoved, "row");
  }

  /** Writes all readable data: to {@code writer} what is in order, the rest to other outputs. */
  void copyTo(SSTableWriter writer) throws IOException {
    SalvagedRows rows = new SalvagedRows(input, writer, written);
    long position = 0;
    while (position < input.dataLength()) {
      shared.check();
      index.seekAfter(position);
      long next = index.nextPosition();
      long end = copy(rows, position, true);
      if (end < 0 && next <= position) {
        losses.add(
            input
                + ": "
                + (input.dataLength() - position)
                + " bytes from "
                + position
                + " on are lost, as the index has no entry for a later partition");
        break;
      }
      position = end < 0 ? next : end;
      report(position, 1);
      if (latePartitions.size() >= MAX_LATE_PARTITIONS) {
        copyLatePartitions();
      }
    }
    if (!latePartitions.isEmpty()) {
      copyLatePartitions();
    }
    outOfOrderRows.flush();
  }

  /** Writes the late partitions to an SSTable of their own. */
  private void copyLatePartitions() throws IOException {
    Collections.sort(latePartitions);
    List<Place> places = latePartitions;
    latePartitions = new ArrayList<>();
    partitionsMoved += places.size();
    index.clearEntry();
    SSTableWriter writer = outputs.next();
    SalvagedRows rows = new SalvagedRows(input, writer, written);
    for (Place place : places) {
      report(place.position(), 1);
      copy(rows, place.position(), false);
    }
    outputs.done(writer);
  }

  /** Reports progress, and checks for a pause or cancellation, after {@code least} bytes. */
  private void report(long position, long least) {
    // A late partition lies before the reported position, and was reported when it was noted.
    if (Math.abs(position - checkedPosition) >= least) {
      checkedPosition = position;
      long more = Math.max(0, position - reportedPosition);
      reportedPosition += more;
      shared.read(more);
    }
  }

  /**
   * Writes one partition.
   *
   * @param mayBeLate whether it is noted for later if it does not follow what was written
   * @return where the data continues, or -1 if that is not known
   */
  private long copy(SalvagedRows rows, long position, boolean mayBeLate) throws IOException {
    @Nullable String damage = readHead(position);
    if (damage == null) {
      boolean follows = rows.canFollow(data.key());
      if (mayBeLate && (!follows || isAhead(rows, position))) {
        return noteLate(position);
      }
      partitions++;
      if (!follows) {
        // Not even among the late ones: there is another partition with this key.
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
    } else if (index.hasCredibleBlocks() && rows.canFollow(index.key())) {
      rows.begin(index.key(), index.deletionTimestamp(), index.deletionLocalTime());
    } else {
      String lost =
          index.hasEntry() ? "the partition of " + keyText.of(index.key()) : "a partition";
      lose(lost + " at " + position, index.describeNext(position), damage);
      return -1;
    }
    return copyAfterDamage(rows, position, damage);
  }

  /** Writes the readable rows after a damage, if there is one, and ends the partition. */
  private long copyAfterDamage(SalvagedRows rows, long position, @Nullable String first)
      throws IOException {
    @Nullable String damage = first;
    int block = -1;
    while (damage != null) {
      String lost = describeRest(rows.count(), rows.key(), position);
      block = continueAfterDamage(block, rows);
      if (block < 0) {
        lose(lost, index.describeNext(position), damage);
        rows.end();
        return -1;
      }
      lose(lost, describeBlock(position), damage);
      damage = copyRows(rows);
    }
    rows.end();
    return data.position();
  }

  private String describeRest(long count, PartitionKey key, long position) {
    return "what is after " + count + " rows and markers of " + keyText.of(key) + " at " + position;
  }

  private String describeBlock(long position) throws IOException {
    return "its next readable index block is at " + (position + index.blockOffset());
  }

  /**
   * Returns whether a partition lies before others that belong before it: the next partition of the
   * index follows what was written, and the present one does not precede it.
   */
  private boolean isAhead(SalvagedRows rows, long position) {
    return index.hasEntry()
        && index.hasNextKey()
        && index.nextPosition() > position
        && data.key().compareTo(index.nextKey()) >= 0
        && rows.canFollow(index.nextKey());
  }

  /** Reads a partition as a trial, and returns whether its rows or markers are out of order. */
  private boolean isDisordered(SalvagedRows rows, long position) throws IOException {
    int lossesBefore = losses.size();
    long keptBefore = rowsKept;
    hasMisfit = false;
    rows.beginTrial(data.key());
    @Nullable String damage = copyRows(rows);
    if (!hasMisfit) {
      copyAfterDamage(rows, position, damage);
    }
    losses.subList(lossesBefore, losses.size()).clear();
    rowsKept = keptBefore;
    return hasMisfit;
  }

  /**
   * Writes a partition, whose head has been read, in parts: the rows in order to {@code rows}, if
   * it is given, and all others to another SSTable.
   *
   * @return where the data continues, or -1 if that is not known
   */
  private long takeApart(@Nullable SalvagedRows rows, long position) throws IOException {
    PartitionKey key = PartitionKey.of(data.key().toByteArray(), data.key().token());
    if (rows == null && !DeletionTime.isLive(data.deletionTimestamp())) {
      outOfOrderRows.addDeletion(key, data.deletionTimestamp(), data.deletionLocalTime());
    }
    DisorderedRows disordered = new DisorderedRows(input, key, rows, outOfOrderRows, losses);
    @Nullable String damage = takeApartRows(disordered);
    int block = -1;
    while (damage != null) {
      String lost = describeRest(disordered.count(), key, position);
      disordered.beginGap();
      block = index.nextReadable(block, index.damagedOffset());
      if (block < 0) {
        lose(lost, index.describeNext(position), damage);
        break;
      }
      lose(lost, describeBlock(position), damage);
      if (block > 0) {
        disordered.endGap(
            index.greatestBeforeBlock(), index.openTimestamp(), index.openLocalTime());
      }
      damage = takeApartRows(disordered);
    }
    rowsMoved += disordered.end();
    if (rows != null) {
      rows.end();
    }
    return damage == null ? data.position() : -1;
  }

  /** Reads up to the end of the partition, or to a damage, whose description is returned. */
  private @Nullable String takeApartRows(DisorderedRows disordered) throws IOException {
    while (true) {
      try {
        if (!data.nextUnfiltered()) {
          return null;
        }
        report(data.position(), InputCursor.STEP_BYTES);
        disordered.check(data.unfiltered());
      } catch (CorruptSSTableException | CorruptFileException e) {
        return Damage.describe(e);
      }
      rowsKept += data.unfiltered().isMarker() ? 0 : 1;
      disordered.add(data.unfiltered());
    }
  }

  /** Reads the head of a partition; returns the description of a damage, or null. */
  private @Nullable String readHead(long position) throws IOException {
    data.seek(position, input.dataLength());
    try {
      data.nextPartition();
      return null;
    } catch (CorruptSSTableException | CorruptFileException e) {
      return Damage.describe(e);
    }
  }

  /** Writes up to the end of the partition, or to a damage, whose description is returned. */
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
      } catch (CorruptSSTableException | CorruptFileException e) {
        return Damage.describe(e);
      } catch (SalvagedRows.Misfit e) {
        hasMisfit = true;
        return Component.DATA.fileName()
            + " at offset "
            + data.unfilteredPosition()
            + ": "
            + e.getMessage();
      }
      // Outside of the try block: an exception of the writer is no damage, and ends the scrub.
      rowsKept += data.unfiltered().isMarker() ? 0 : 1;
      rows.add(data.unfiltered());
    }
  }

  /** Notes a partition for later; returns where the next begins, or -1 if that is not known. */
  private long noteLate(long position) throws IOException {
    latePartitions.add(
        new Place(PartitionKey.of(data.key().toByteArray(), data.key().token()), position));
    try {
      while (data.nextUnfiltered()) {
        // Only to find its end.
        report(data.position(), InputCursor.STEP_BYTES);
      }
      return data.position();
    } catch (CorruptSSTableException | CorruptFileException e) {
      // The damage is reported when the partition is read again.
      return -1;
    }
  }

  /**
   * Moves to the next index block after the damage that can be read and fits what was written.
   *
   * @param last the last such block in this partition, -1 if none
   * @return -1 if there is none
   */
  private int continueAfterDamage(int last, SalvagedRows rows) throws IOException {
    long damagedOffset = index.damagedOffset();
    int block = index.nextReadable(last, damagedOffset);
    while (block >= 0 && !canContinueAt(block, rows)) {
      block = index.nextReadable(block, damagedOffset);
    }
    return block;
  }

  private boolean canContinueAt(int block, SalvagedRows rows) throws IOException {
    // Before the first block only the head and the static row may be damaged.
    return block == 0
        ? rows.isAtFirst()
        : rows.continueAfterGap(
            index.lastBeforeBlock(),
            index.blockFirst(),
            index.openTimestamp(),
            index.openLocalTime());
  }

  private void lose(String what, String whatIsNext, String why) {
    losses.add(input + ": " + what + " is lost, " + whatIsNext + ": " + why);
  }

  @Override
  public void close() throws IOException {
    try (data) {
      index.close();
    }
  }
}
