package io.siltstone.commitlog;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the segments of a commit log, oldest first: those that a run of the database left, or those
 * of an archive, all of them in one directory. Changes nothing there. {@link SegmentFormat} tells
 * how a torn tail, where replay ends cleanly, differs from damage, which is a {@link
 * CorruptFileException}.
 *
 * <p>Of a log that was closed all damage is found, however small, but for that of the mark at its
 * very end.
 */
public final class CommitLogReplay {
  private final SegmentSource source;
  private final ReplayOptions options;
  private final ReplayVisitor visitor;
  private final List<CorruptFileException> damage = new ArrayList<>();
  private final List<ReplayedLog.Segment> segments = new ArrayList<>();
  private final List<Long> headless = new ArrayList<>();
  private long records;
  private long tornBytes;
  private boolean partial;

  /** What the beginning of a segment says; no header if it is torn or damaged. */
  private record Found(long id, @Nullable SegmentHeader header, boolean damaged) {}

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
    List<Found> all = new ArrayList<>();
    for (long id : source.ids()) {
      all.add(look(id));
    }
    // A crash leaves one segment without a header, and that is the last.
    if (!all.isEmpty()) {
      Found last = all.get(all.size() - 1);
      if (last.header == null && !last.damaged) {
        headless.add(last.id);
        all.remove(all.size() - 1);
      }
    }
    for (int i = 0; i < all.size(); i++) {
      if (i > 0) {
        requireSuccessor(all.get(i - 1), all.get(i));
      }
      replay(all.get(i), i + 1 < all.size() ? all.get(i + 1) : null);
    }
    return new ReplayedLog(segments, headless, damage, records, tornBytes, partial);
  }

  private Found look(long id) throws IOException {
    try (SegmentReader reader = source.open(id)) {
      return new Found(id, reader.header(), false);
    } catch (CorruptFileException e) {
      damaged(e);
      return new Found(id, null, true);
    }
  }

  private void damaged(CorruptFileException found) throws CorruptFileException {
    if (options.damage() == ReplayOptions.Damage.REFUSE) {
      throw found;
    }
    damage.add(found);
  }

  private void requireSuccessor(Found before, Found after) throws IOException {
    if (after.header != null && after.header.previousId() != before.id) {
      damaged(
          new CorruptFileException(
              path(after.id),
              SegmentHeader.PREVIOUS_ID_AT,
              "follows segment "
                  + after.header.previousId()
                  + ", which is missing; before it is "
                  + before.id));
    }
  }

  private String path(long id) {
    return source.path() + "/" + SegmentFormat.name(id);
  }

  private void replay(Found found, @Nullable Found next) throws IOException {
    SegmentReplay replay = new SegmentReplay(found.id, visitor);
    try (SegmentReader reader = source.open(found.id)) {
      int end = reader.length();
      if (found.header != null) {
        visitor.segment(found.header.createdMicros());
      }
      if (found.header != null || found.damaged) {
        // Records tell by themselves whether they are whole.
        end = replay(reader, replay, lengthToldBy(next, found.id));
      } else {
        damaged(
            new CorruptFileException(reader.path(), 0, "has no header, but a segment follows it"));
      }
      segments.add(new ReplayedLog.Segment(found.id, end, replay.ends()));
    }
    records += replay.records();
  }

  /** The length that the next segment tells of this one, -1 if none does. */
  private static int lengthToldBy(@Nullable Found next, long id) {
    return next != null && next.header != null && next.header.previousId() == id
        ? next.header.previousLength()
        : -1;
  }

  /**
   * Replays a segment's records.
   *
   * @param told length of the whole segment, -1 if that is not known
   * @return where its last record ends
   */
  private int replay(SegmentReader reader, SegmentReplay replay, int told) throws IOException {
    if (told >= 0 && told != reader.length()) {
      damaged(
          new CorruptFileException(
              reader.path(),
              Math.min(told, reader.length()),
              "has " + reader.length() + " bytes, the next segment says " + told));
    }
    int limit = reader.length();
    int offset = SegmentFormat.HEADER_BYTES;
    while (offset < limit) {
      if (reader.read(offset, limit)) {
        if (replay.positionOf(reader).compareTo(options.upTo()) > 0) {
          partial = true;
        } else {
          replayOne(reader, replay, offset);
        }
        offset = reader.end();
      } else {
        String problem = reader.problem();
        if (told < 0 && reader.greatestSynced(offset + 1) <= offset) {
          tornBytes += limit - offset;
          return offset;
        }
        damaged(new CorruptFileException(reader.path(), offset, problem));
        offset = reader.find(offset + 1, limit);
      }
    }
    return limit;
  }

  private void replayOne(SegmentReader reader, SegmentReplay replay, int offset)
      throws IOException {
    try {
      replay.replay(reader);
    } catch (SegmentReplay.MeaninglessException e) {
      damaged(new CorruptFileException(reader.path(), offset, String.valueOf(e.getMessage()), e));
    }
  }
}
