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
 * Reads the segments of a commit log, oldest first: those that a run of the database left, or those
 * of an archive, all of them in one directory. Changes nothing there. {@link SegmentFormat} tells
 * how a torn tail, where replay ends cleanly, differs from damage, which is a {@link
 * CorruptFileException}; so is a segment that is missing. Of an archive only those between others
 * are missed, as it may have lost its oldest segments and never has the newest.
 *
 * <p>Of a log that was closed all damage is found, however small, but for that of the mark at its
 * very end.
 */
public final class CommitLogReplay {
  private final SegmentSource source;
  private final ReplayOptions options;
  private final ReplayVisitor visitor;
  private final List<CorruptFileException> damage = new ArrayList<>();
  private final List<CorruptFileException> cutOff = new ArrayList<>();
  private final List<ReplayedLog.Segment> segments = new ArrayList<>();
  private final List<Found> found = new ArrayList<>();
  private final List<Long> lost = new ArrayList<>();
  private long nextId = SegmentHeader.NO_SEGMENT;
  // The oldest segment that is needed, as far as the log tells it.
  private long first = SegmentHeader.NO_SEGMENT;
  private long records;
  private long tornBytes;
  private boolean partial;
  private boolean torn;

  /**
   * What the beginning of a segment says.
   *
   * @param header null if it cannot be read, or is that of another segment
   * @param badHeader why that is so, unless there are too few bytes
   * @param isOther whether it is another segment, none of whose records can be read
   */
  private record Found(
      long id,
      int length,
      @Nullable SegmentHeader header,
      @Nullable CorruptFileException badHeader,
      boolean isOther) {}

  private CommitLogReplay(SegmentSource source, ReplayOptions options, ReplayVisitor visitor) {
    this.source = source;
    this.options = options;
    this.visitor = visitor;
  }

  /**
   * Gives every whole record to the visitor, in the order of appending.
   *
   * @throws CorruptFileException if the log is damaged, unless that is to be skipped
   * @throws IOException if it cannot be read, or of the visitor
   */
  public static ReplayedLog replay(
      Directory directory, ReplayOptions options, ReplayVisitor visitor) throws IOException {
    return replay(SegmentSource.of(directory), options, visitor);
  }

  static ReplayedLog replay(SegmentSource source, ReplayOptions options, ReplayVisitor visitor)
      throws IOException {
    return new CommitLogReplay(source, options, visitor).run();
  }

  /**
   * Syncs what a process that died has left to the page cache: who acts upon what a replay tells,
   * as by writing or dropping SSTables, does so only afterwards, or a power loss would undo the
   * reason and not the act.
   */
  public static void makeDurable(Directory directory) throws IOException {
    for (long id : ids(directory)) {
      try (WritableFile file = directory.append(SegmentFormat.name(id))) {
        file.sync();
      }
    }
    directory.sync();
  }

  /** Ids of the segments in the directory, ascending. */
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
    int end = 0;
    while (!torn && end < found.size() && isThereAllBefore(end) && hasRecords(end)) {
      replay(end);
      end++;
    }
    for (Found later : found.subList(end, found.size())) {
      lost.add(later.id);
      tornBytes += later.length;
      noteIfCutOff(later);
    }
    requireEnd();
    return new ReplayedLog(segments, lost, damage, cutOff, records, tornBytes, partial);
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

  /** Segments are deleted oldest first, and only up to one that the log itself names before. */
  private void requireBeginning() throws IOException {
    if (found.isEmpty() || options.hostId() == null) {
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

  /** A segment whose successor's name was durable does not lose its own. */
  private void requireEnd() throws CorruptFileException {
    if (nextId == SegmentHeader.NO_SEGMENT || segments.isEmpty() || options.hostId() == null) {
      return;
    }
    long last = segments.get(segments.size() - 1).id();
    if (nextId > last && lost.isEmpty()) {
      damaged(missing(nextId, "segment " + last + ", the last one there, says that it follows"));
    }
  }

  /** Whether no segment is missing before that one, or what is missing is damage. */
  private boolean isThereAllBefore(int index) throws IOException {
    SegmentHeader header = found.get(index).header;
    if (index == 0 || header == null) {
      return true;
    }
    long before = found.get(index - 1).id;
    long previous = header.previousId();
    // Older segments than those that are needed may have been put back.
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

  /** Whether the name of that segment is known to have been durable, as those from index on say. */
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
   * Up to where the log was synced, as the segments from that one on say.
   *
   * @param offset in the first of them, from which on its records are looked at
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

  /** Whether what is bad at that offset had been synced. */
  private boolean isProven(int index, int offset) throws IOException {
    CommitLogPosition at = new CommitLogPosition(found.get(index).id, offset);
    return proven(index, offset + 1).compareTo(at) > 0;
  }

  /**
   * Whether the segment has a header, or has lost it by damage: otherwise the log ends before it.
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
      // The beginning of the first record is in the same sector as the header.
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
      int end = segment.isOther ? segment.length : replay(index, reader, replay);
      segments.add(new ReplayedLog.Segment(segment.id, end, replay.ends()));
    }
    records += replay.records();
    nextId = replay.nextId();
  }

  /**
   * Replays a segment's records.
   *
   * @return where its last record ends
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
          // It goes with what it names: a log that is continued after this one cuts it off.
          return offset;
        }
        offset = reader.end();
      } else if (offset == told) {
        // The mark after the last record was torn; the segment that it names is there.
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

  /** Compares the segment's length with what the next one says, if that is known. */
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

  /** The length that the next segment tells of this one, -1 if none does. */
  private int lengthToldBy(int index) {
    SegmentHeader next = index < found.size() ? found.get(index).header : null;
    return next != null && next.previousId() == found.get(index - 1).id
        ? next.previousLength()
        : -1;
  }
}
