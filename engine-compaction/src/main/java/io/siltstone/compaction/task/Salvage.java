package io.siltstone.compaction.task;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.PartitionRange;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what can be read of a damaged SSTable.
 *
 * <p>Of a partition the rows before the damage are kept, and a range tombstone that is open there
 * ends behind the last of them. Then the index tells where the next partition begins; without an
 * index what is behind a damage is lost. Partitions that do not follow the one before are noted, to
 * be read once more for an SSTable of their own: a few bytes of memory for each of them. Confined
 * to one thread, closed by its opener.
 */
final class Salvage implements Closeable {
  private final SSTable input;
  private final DataCursor data;
  private final IndexCursor index;
  private final ClusteringComparator order;
  private final UnfilteredEncoder encoder;
  // A copy of a marker that begins a range, until there is something behind it.
  private final Unfiltered marker;
  private final Clustering last = new Clustering();
  private final Clustering bound = new Clustering();
  private final Tally.Flow read = new Tally.Flow();
  private final List<String> losses = new ArrayList<>();
  private List<Place> late = new ArrayList<>();

  private final PartitionKey indexKey = new PartitionKey();
  private final long[] hash = new long[2];
  private long indexPosition = -1;
  private boolean hasIndex = true;
  private boolean hasMarker;
  private boolean hasLast;
  private boolean isRangeRead;
  private boolean isRangeWritten;
  private long rangeTimestamp;
  private long rangeLocalTime;

  /** Where a partition lies. */
  private record Place(PartitionKey key, long position) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int compared = key.compareTo(other.key);
      return compared != 0 ? compared : Long.compare(position, other.position);
    }
  }

  Salvage(SSTable input, Pace pace, TaskOptions options) throws IOException {
    this.input = input;
    this.order = new ClusteringComparator(input.header().clusteringTypes());
    this.encoder = new UnfilteredEncoder(input.encoding());
    this.marker =
        new Unfiltered(
            input.encoding(),
            (at, reason) -> new IOException("a marker that was copied is damaged: " + reason));
    this.index = input.indexEntries();
    try {
      this.data = input.scan(options.access(pace, 1).withAhead(null), PartitionRange.ALL);
    } catch (Throwable e) {
      index.close();
      throw e;
    }
  }

  /** What was read and written. */
  Tally.Flow read() {
    return read;
  }

  /** What is lost, one sentence each. */
  List<String> losses() {
    return losses;
  }

  /** Whether partitions wait to be written to another SSTable. */
  boolean hasLate() {
    return !late.isEmpty();
  }

  /** Writes all partitions that follow the one before. */
  void copyTo(SSTableWriter writer, Pace pace) throws IOException {
    PartitionKey previous = new PartitionKey();
    long position = 0;
    while (position < input.dataLength()) {
      pace.check();
      seekIndexBehind(position);
      long next = indexPosition;
      long behind = copy(writer, position, previous);
      if (behind < 0 && next <= position) {
        losses.add(
            input
                + ": "
                + (input.dataLength() - position)
                + " bytes from "
                + position
                + " on are lost, as no index entry tells of a partition behind");
        return;
      }
      long reached = behind < 0 ? next : behind;
      pace.read(reached - position);
      position = reached;
    }
  }

  /** Writes those partitions that wait and follow one another; others go on waiting. */
  void copyLateTo(SSTableWriter writer, Pace pace) throws IOException {
    Collections.sort(late);
    List<Place> present = late;
    late = new ArrayList<>();
    PartitionKey previous = new PartitionKey();
    for (Place place : present) {
      pace.check();
      copy(writer, place.position(), previous);
    }
  }

  /** Moves to the first entry behind a position in the data; -1 if there is none. */
  private void seekIndexBehind(long position) {
    try {
      while (hasIndex && indexPosition <= position) {
        hasIndex = index.next();
        if (hasIndex) {
          index.wrapKey(indexKey, input.partitioner(), hash);
          if (index.dataPosition() <= indexPosition || index.dataPosition() >= input.dataLength()) {
            throw new CorruptSSTableException(
                input.toString(),
                Component.PRIMARY_INDEX,
                index.position(),
                "entry of " + indexKey + " points to " + index.dataPosition());
          }
          indexPosition = index.dataPosition();
        }
      }
    } catch (IOException e) {
      // What cannot be read of the index is only missed if the data is damaged too.
      hasIndex = false;
    }
  }

  /**
   * Writes one partition.
   *
   * @param previous the key of the one before, which becomes this one's
   * @return where the data goes on, or -1 if it cannot be told
   */
  private long copy(SSTableWriter writer, long position, PartitionKey previous) throws IOException {
    boolean isBegun = false;
    try {
      data.seek(position, input.dataLength());
      if (!data.nextPartition()) {
        return input.dataLength();
      }
      if (writer.partitions() > 0 && data.key().compareTo(previous) <= 0) {
        late.add(
            new Place(PartitionKey.of(data.key().toByteArray(), data.key().token()), position));
        while (data.nextUnfiltered()) {
          // Only to find its end.
        }
        return data.position();
      }
    } catch (CorruptSSTableException e) {
      lose(position, "a partition", told(e));
      return -1;
    }
    hasMarker = false;
    hasLast = false;
    isRangeRead = false;
    isRangeWritten = false;
    long rows = 0;
    @Nullable String damage = null;
    if (!DeletionTime.isLive(data.deletionTimestamp())) {
      begin(writer, previous);
      isBegun = true;
    }
    try {
      while (data.nextUnfiltered()) {
        Unfiltered unfiltered = data.unfiltered();
        check(unfiltered);
        if (!isBegun) {
          begin(writer, previous);
          isBegun = true;
        }
        writePending(writer);
        take(writer, unfiltered);
        rows++;
      }
      if (isRangeRead) {
        damage = "the partition ends within a range";
      }
    } catch (CorruptSSTableException e) {
      damage = told(e);
    }
    if (damage != null) {
      lose(position, "what is behind " + rows + " rows and markers of " + data.key(), damage);
    }
    if (isBegun) {
      endRange(writer);
      writer.endPartition();
    }
    return damage == null ? data.position() : -1;
  }

  private static String told(CorruptSSTableException e) {
    return e.component().fileName() + " at offset " + e.offset() + ": " + e.reason();
  }

  private void lose(long position, String what, String why) {
    losses.add(
        input
            + ": "
            + what
            + " at "
            + position
            + " is lost, the next that the index tells of is "
            + (indexPosition > position ? indexKey + " at " + indexPosition : "none")
            + ": "
            + why);
  }

  private void begin(SSTableWriter writer, PartitionKey previous) throws IOException {
    read.partition(data.key());
    writer.startPartition(data.key(), data.deletionTimestamp(), data.deletionLocalTime());
    previous.copyFrom(data.key());
  }

  /** Reads all of it, so that a writer will not stumble; and that it follows the one before. */
  private void check(Unfiltered unfiltered) throws IOException {
    if (unfiltered.isMarker()) {
      if (unfiltered.clustering().kind().closes() != isRangeRead) {
        throw corrupt(
            isRangeRead ? "a range begins within another" : "a range ends that has not begun");
      }
    } else {
      unfiltered.rewind();
      while (unfiltered.nextColumn()) {
        while (unfiltered.nextCell()) {
          // Reading it checks it.
        }
      }
      unfiltered.rewind();
    }
    if (!unfiltered.isStatic()) {
      if (hasLast && order.compare(last, unfiltered.clustering()) >= 0) {
        throw corrupt("a row or marker that does not follow the one before");
      }
      last.copyFrom(unfiltered.clustering());
      hasLast = true;
    }
  }

  private CorruptSSTableException corrupt(String reason) {
    return new CorruptSSTableException(
        input.toString(), Component.DATA, data.unfilteredPosition(), reason);
  }

  private void take(SSTableWriter writer, Unfiltered unfiltered) throws IOException {
    if (!unfiltered.isMarker()) {
      read.rows++;
      writer.add(unfiltered);
      return;
    }
    isRangeRead = unfiltered.clustering().kind().opens();
    if (isRangeRead) {
      int length =
          encoder.marker(
              unfiltered.clustering(),
              unfiltered.deletionTimestamp(),
              unfiltered.deletionLocalTime(),
              unfiltered.openTimestamp(),
              unfiltered.openLocalTime(),
              0);
      marker.wrap(encoder.bytes(), 0, length);
      hasMarker = true;
    } else {
      write(writer, unfiltered);
    }
  }

  private void writePending(SSTableWriter writer) throws IOException {
    if (hasMarker) {
      hasMarker = false;
      write(writer, marker);
    }
  }

  private void write(SSTableWriter writer, Unfiltered of) throws IOException {
    read.markers++;
    isRangeWritten = of.clustering().kind().opens();
    rangeTimestamp = of.openTimestamp();
    rangeLocalTime = of.openLocalTime();
    writer.add(of);
  }

  /** Ends the range that is open where the damage is, if there is one. */
  private void endRange(SSTableWriter writer) throws IOException {
    if (!isRangeWritten) {
      return;
    }
    // Either a marker waits that ends it and begins another, of which nothing is known, or it was
    // a row that was written last.
    Clustering at = hasMarker ? marker.clustering() : last;
    boolean isBeforeRows = at.kind().comparedToClustering() < 0;
    bound.copyFrom(
        at, isBeforeRows ? ClusteringKind.EXCL_END_BOUND : ClusteringKind.INCL_END_BOUND);
    int length =
        encoder.marker(bound, rangeTimestamp, rangeLocalTime, rangeTimestamp, rangeLocalTime, 0);
    marker.wrap(encoder.bytes(), 0, length);
    hasMarker = false;
    write(writer, marker);
  }

  @Override
  public void close() throws IOException {
    try (data) {
      index.close();
    }
  }
}
