package io.siltstone.commitlog.segment;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Replays the commit log after a crash: reads all segments in one directory, oldest first, which an
 * earlier run of the database or an archive has left. It modifies nothing.
 *
 * <p>A torn tail, an incomplete record at the end of what was written before a power loss, ends the
 * replay cleanly. Damage is a {@link CorruptFileException}, and so is a missing segment; {@link
 * SegmentFormat} explains the difference. Of an archive only segments between others are found
 * missing, as it may have lost its oldest segments and never has the newest. In a log that was
 * closed all damage is found, except in the mark at its very end.
 */
public final class CommitLogReplay {
  private final SegmentSource source;
  private final ReplayOptions options;
  private final ReplayVisitor visitor;
  // Null to replay from the beginning; otherwise the source begins with the segment of this end.
  private final @Nullable LogEnd start;
  private final List<CorruptFileException> damage = new ArrayList<>();
  private final List<CorruptFileException> cutOff = new ArrayList<>();
  private final List<ReplayedLog.Segment> segments = new ArrayList<>();
  private final List<Found> found = new ArrayList<>();
  private final List<Long> lost = new ArrayList<>();
  private long nextId = SegmentHeader.NO_SEGMENT;
  // The oldest segment that is needed, as far as the log says.
  private long first = SegmentHeader.NO_SEGMENT;
  private long records;
  private long tornBytes;
  private boolean partial;
  private boolean torn;
  private @Nullable LogEnd end;

  /**
   * The header of a segment, or why it cannot be read.
   *
   * @param header null if it cannot be read, or belongs to another segment
   * @param badHeader the reason, unless there are too few bytes
   * @param isOther whether the header belongs to another segment, none of whose records can be read
   */
  private record Found(
      long id,
      int length,
      @Nullable SegmentHeader header,
      @Nullable CorruptFileException badHeader,
      boolean isOther) {}

  private CommitLogReplay(
      SegmentSource source, ReplayOptions options, ReplayVisitor visitor, @Nullable LogEnd start) {
    this.source = source;
    this.options = options;
    this.visitor = visitor;
    this.start = start;
  }

  /**
   * Passes every complete record to the visitor, in the order of appending.
   *
   * @throws CorruptFileException if the log is damaged, unless damage is to be skipped
   * @throws IOException if it cannot be read, or if the visitor throws it
   */
  public static ReplayedLog replay(
      Directory directory, ReplayOptions options, ReplayVisitor visitor) throws IOException {
    return replay(SegmentSource.of(directory), options, visitor);
  }

  static ReplayedLog replay(SegmentSource source, ReplayOptions options, ReplayVisitor visitor)
      throws IOException {
    return new CommitLogReplay(source, options, visitor, null).run();
  }

  /**
   * Passes the complete records after the end of an earlier replay to the visitor.
   *
   * @param source has the segment of that end as its first one
   */
  static ReplayedLog replayAfter(
      LogEnd start, SegmentSource source, ReplayOptions options, ReplayVisitor visitor)
      throws IOException {
    return new CommitLogReplay(source, options, visitor, start).run();
  }

  /**
   * Syncs records that a dead process left in the page cache. Callers must do this before they act
   * upon replayed records, for example write or drop SSTables; otherwise a power loss could undo
   * the records but not the action.
   */
  public static void makeDurable(Directory directory) throws IOException {
    for (long id : ids(directory)) {
      try (WritableFile file = directory.append(SegmentFormat.name(id))) {
        file.sync();
      }
    }
    directory.sync();
  }

  /** Returns the ids of the segments in the directory, ascending. */
  static List<Long> ids(Directory directory) throws IOException {
    List<Long> ids = new ArrayList<>();
    for (String name : directory.files()) {
      OptionalLong id = SegmentFormat.id(name);
      if (id.isPresent()) {
        ids.add(id.getAsLong());
      }
    }
    ids.sort(null);
    return ids;
  }

  private ReplayedLog run() throws IOException {
    for (long id : source.ids()) {
      found.add(look(id));
    }
    requireBeginning();
    int next = 0;
    while (!torn && next < found.size() && isThereAllBefore(next) && hasRecords(next)) {
      replay(next);
      next++;
    }
    for (Found later : found.subList(next, found.size())) {
      lost.add(later.id);
      tornBytes += later.length;
      noteIfCutOff(later);
    }
    requireEnd();
    return new ReplayedLog(segments, lost, damage, cutOff, records, tornBytes, partial, end);
  }

  private void noteIfCutOff(Found segment) throws IOException {
    if (segment.header == null) {
      return;
    }
    try (SegmentReader reader = source.open(segment.id)) {
      if (reader.read(segment.header.length(), reader.length())) {
        cutOff.add(
            new CorruptFileException(
                reader.path(),
                CorruptFileException.WHOLE_FILE,
                "it comes after the place where the log ends"));
      }
    }
  }

  private Found look(long id) throws IOException {
    try (SegmentReader reader = source.open(id)) {
      int length = reader.length();
      SegmentHeader header;
      try {
        header = reader.header();
      } catch (CorruptFileException e) {
        return new Found(id, length, null, e, false);
      }
      if (header != null && header.id() != id) {
        CorruptFileException other =
            new CorruptFileException(
                path(id),
                SegmentHeader.ID_AT,
                "segment id " + header.id() + ", its name says " + id);
        damaged(other);
        return new Found(id, length, null, other, true);
      }
      if (header != null) {
        requireHost(header);
      }
      return new Found(id, length, header, null, false);
    }
  }

  private void requireHost(SegmentHeader header) throws CorruptFileException {
    UUID host = header.hostId();
    UUID wanted = options.hostId();
    if (host != null && wanted != null && !host.equals(wanted)) {
      damaged(
          new CorruptFileException(
              path(header.id()),
              SegmentHeader.HOST_AT,
              "is of the database with the host id "
                  + host
                  + ", siltstone.properties of this one has "
                  + wanted));
    }
  }

  private void damaged(CorruptFileException found) throws CorruptFileException {
    if (options.damage() == ReplayOptions.Damage.REFUSE) {
      throw found;
    }
    damage.add(found);
  }

  private String path(long id) {
    return source.path() + "/" + SegmentFormat.name(id);
  }

  /**
   * Checks that the oldest needed segment is there: segments are deleted oldest first, and only up
   * to one that a synced record names.
   */
  private void requireBeginning() throws IOException {
    if (found.isEmpty() || options.hostId() == null || start != null) {
      return;
    }
    for (Found segment : found) {
      first = segment.header == null ? first : Math.max(first, segment.header.firstId());
    }
    long oldest = found.get(0).id;
    if (first == SegmentHeader.NO_SEGMENT || oldest <= first) {
      return;
    }
    for (int i = found.size() - 1; i >= 0 && first < oldest; i--) {
      first = Math.max(first, greatestBegins(found.get(i)));
    }
    if (first < oldest) {
      damaged(missing(first, "the log begins with it, but the oldest one there is " + oldest));
    }
  }

  private long greatestBegins(Found segment) throws IOException {
    if (segment.header == null) {
      return SegmentHeader.NO_SEGMENT;
    }
    try (SegmentReader reader = source.open(segment.id)) {
      return reader.greatestBegins(segment.header.length());
    }
  }

  private CorruptFileException missing(long id, String why) {
    return new CorruptFileException(
        path(id), CorruptFileException.WHOLE_FILE, "this segment is missing: " + why);
  }

  /** Checks that the newest segment with a durable name is there. */
  private void requireEnd() throws CorruptFileException {
    if (nextId == SegmentHeader.NO_SEGMENT || segments.isEmpty() || options.hostId() == null) {
      return;
    }
    long last = segments.get(segments.size() - 1).id();
    if (nextId > last && lost.isEmpty()) {
      damaged(missing(nextId, "segment " + last + ", the last one there, says that it follows"));
    }
  }

  /** Returns whether no segment is missing before that one, or what is missing is damage. */
  private boolean isThereAllBefore(int index) throws IOException {
    SegmentHeader header = found.get(index).header;
    if (index == 0 || header == null) {
      return true;
    }
    long before = found.get(index - 1).id;
    long previous = header.previousId();
    // An operator may have put back segments that are older than those needed.
    if (previous == before || (previous > before && previous < first)) {
      return true;
    }
    if (previous > before && !isNameProven(previous, index)) {
      return false;
    }
    String follows = "segment " + header.id() + " follows it; the one before that is " + before;
    damaged(
        previous > before
            ? missing(previous, follows)
            : new CorruptFileException(
                path(header.id()),
                SegmentHeader.PREVIOUS_ID_AT,
                "follows segment " + previous + ", but the one before it is " + before));
    return true;
  }

  /**
   * Returns whether the name of a segment is proven to have been durable, by the segments from an
   * index on.
   */
  private boolean isNameProven(long id, int index) throws IOException {
    if (nextId >= id) {
      return true;
    }
    for (Found segment : found.subList(index, found.size())) {
      if (segment.header != null && segment.header.namedId() >= id) {
        return true;
      }
    }
    return proven(index, SegmentHeader.COMMON_BYTES).segmentId() >= id;
  }

  /**
   * Returns the position up to which the log is proven to have been synced, by a segment and those
   * after it.
   *
   * @param offset in the first of these segments, from which on its records are read
   */
  private CommitLogPosition proven(int index, int offset) throws IOException {
    CommitLogPosition proven = CommitLogPosition.NONE;
    for (int i = index; i < found.size(); i++) {
      Found segment = found.get(i);
      if (segment.header != null && i > index) {
        proven = later(proven, segment.header.synced());
      }
      int from = i == index ? offset : SegmentHeader.COMMON_BYTES;
      try (SegmentReader reader = source.open(segment.id)) {
        proven = later(proven, reader.greatestSynced(from));
      }
    }
    return proven;
  }

  private static CommitLogPosition later(CommitLogPosition one, CommitLogPosition other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /** Returns whether what is bad at that offset had been synced. */
  private boolean isProven(int index, int offset) throws IOException {
    CommitLogPosition at = new CommitLogPosition(found.get(index).id, offset);
    return proven(index, offset + 1).compareTo(at) > 0;
  }

  /**
   * Returns whether the segment has a header, or lost it by damage. Otherwise the log ends before
   * the segment.
   */
  private boolean hasRecords(int index) throws IOException {
    Found segment = found.get(index);
    if (segment.header != null || segment.isOther) {
      return true;
    }
    CorruptFileException bad = segment.badHeader;
    if (bad == null) {
      if (!isProven(index, 0)) {
        return false;
      }
      damaged(
          new CorruptFileException(
              path(segment.id), 0, "has no header, but what it had was synced"));
    } else {
      // The header and the beginning of the first record are in one sector.
      try (SegmentReader reader = source.open(segment.id)) {
        if (reader.findFirst() < 0 && !isProven(index, 0)) {
          return false;
        }
      }
      damaged(bad);
    }
    return true;
  }

  private void replay(int index) throws IOException {
    Found segment = found.get(index);
    SegmentReplay replay = new SegmentReplay(segment.id, visitor);
    try (SegmentReader reader = source.open(segment.id)) {
      if (segment.header != null) {
        visitor.segment(segment.header.createdMicros());
      }
      if (index == 0 && start != null) {
        replay.introduce(start.tables());
      }
      int length = segment.isOther ? segment.length : replay(index, reader, replay);
      segments.add(new ReplayedLog.Segment(segment.id, length, replay.ends()));
      end = new LogEnd(segment.id, length, replay.introduced());
    }
    records += replay.records();
    nextId = replay.nextId();
  }

  /**
   * Replays a segment's records.
   *
   * @return end of its last record
   */
  private int replay(int index, SegmentReader reader, SegmentReplay replay) throws IOException {
    int told = lengthToldBy(index + 1);
    int limit = reader.length();
    requireLength(index, reader, told);
    int offset = firstRecord(index, reader);
    while (offset < limit) {
      if (reader.read(offset, limit)) {
        if (replay.positionOf(reader).compareTo(options.upTo()) > 0) {
          partial = true;
        } else {
          replayOne(reader, replay, offset);
        }
        if (reader.type() == SegmentFormat.CONTINUED && reader.end() == limit) {
          // The record is removed with the segment that it names: the log continues after this
          // segment, and the record is cut off.
          return offset;
        }
        offset = reader.end();
      } else if (offset == told) {
        // The record that names the next segment is torn; the next segment is there.
        return told;
      } else {
        String problem = reader.problem();
        if (!isProven(index, offset)) {
          torn = true;
          tornBytes += limit - offset;
          int intact = reader.find(offset + 1, limit);
          if (intact < limit) {
            cutOff.add(
                new CorruptFileException(
                    reader.path(),
                    offset,
                    problem + ", and intact records follow from offset " + intact + " on"));
          }
          return offset;
        }
        damaged(new CorruptFileException(reader.path(), offset, problem));
        offset = reader.find(offset + 1, limit);
      }
    }
    return limit;
  }

  /** Compares the segment's length with the one in the header of the next, if that is known. */
  private void requireLength(int index, SegmentReader reader, int told) throws IOException {
    int length = reader.length();
    if (told < 0 || (length >= told && length <= told + SegmentFormat.CONTINUED_BYTES)) {
      return;
    }
    if (length < told && !isProven(index, told - 1)) {
      torn = true;
      return;
    }
    damaged(
        new CorruptFileException(
            reader.path(),
            Math.min(told, length),
            "has " + length + " bytes, the next segment says " + told));
  }

  private int firstRecord(int index, SegmentReader reader) throws IOException {
    if (index == 0 && start != null) {
      return start.offset();
    }
    SegmentHeader header = found.get(index).header;
    int first = header == null ? reader.findFirst() : header.length();
    return first < 0 ? SegmentHeader.COMMON_BYTES : first;
  }

  private void replayOne(SegmentReader reader, SegmentReplay replay, int offset)
      throws IOException {
    try {
      replay.replay(reader);
    } catch (SegmentReplay.MeaninglessException e) {
      damaged(new CorruptFileException(reader.path(), offset, String.valueOf(e.getMessage()), e));
    }
  }

  /** Returns the length that the next segment tells of this one, -1 if none does. */
  private int lengthToldBy(int index) {
    SegmentHeader next = index < found.size() ? found.get(index).header : null;
    return next != null && next.previousId() == found.get(index - 1).id
        ? next.previousLength()
        : -1;
  }
}
