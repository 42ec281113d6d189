package io.siltstone.commitlog.segment;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The segments of a commit log that another process may be writing, held open for a read-only
 * database: their bytes stay although the files are deleted. The records that the log had when it
 * was {@linkplain #of opened} can therefore be replayed after the SSTables were opened into which
 * they may have been flushed meanwhile.
 *
 * <p>Confined to one thread. The opener closes it.
 */
public final class HeldLog implements Closeable {
  private final Directory directory;
  private final NavigableMap<Long, ReadableFile> files = new TreeMap<>();

  private HeldLog(Directory directory) {
    this.directory = directory;
  }

  /**
   * Opens the log in its present state.
   *
   * @throws NoSuchFileException if a segment is deleted during this call
   */
  public static HeldLog of(Directory directory) throws IOException {
    HeldLog log = new HeldLog(directory);
    try {
      log.addFrom(Long.MIN_VALUE);
      return log;
    } catch (Throwable e) {
      Closeables.closeAfter(log, e);
      throw e;
    }
  }

  /**
   * Opens the part of the log that an earlier replay has not seen, in its present state.
   *
   * @throws NoSuchFileException if the segment in which that replay ended was deleted, or a later
   *     one is deleted during this call
   */
  public static HeldLog after(LogEnd end, Directory directory) throws IOException {
    HeldLog log = new HeldLog(directory);
    try {
      if (!log.addFrom(end.segmentId())) {
        throw new NoSuchFileException(directory.path() + "/" + SegmentFormat.name(end.segmentId()));
      }
      return log;
    } catch (Throwable e) {
      Closeables.closeAfter(log, e);
      throw e;
    }
  }

  /**
   * Opens the segments that were written since, too.
   *
   * @throws NoSuchFileException if the segment that was written last was deleted; later ones may
   *     then have been created and deleted, too
   */
  public void follow() throws IOException {
    Map.Entry<Long, ReadableFile> last = files.pollLastEntry();
    if (last == null) {
      addFrom(Long.MIN_VALUE);
      return;
    }
    // The last segment is opened again, since it may have grown.
    last.getValue().close();
    if (!addFrom(last.getKey())) {
      throw new NoSuchFileException(directory.path() + "/" + SegmentFormat.name(last.getKey()));
    }
  }

  /**
   * Opens a segment and those after it; returns whether it exists.
   *
   * <p>All listed segments but the last are complete when they are opened. The last is opened again
   * if another one was created after it meanwhile, which it may name.
   */
  private boolean addFrom(long first) throws IOException {
    boolean found = false;
    long from = first;
    List<Long> ids = idsFrom(from);
    while (true) {
      for (long id : ids) {
        found |= id == first;
        ReadableFile old = files.put(id, directory.open(SegmentFormat.name(id), ReadIntent.SCAN));
        if (old != null) {
          old.close();
        }
      }
      List<Long> now = idsFrom(from);
      if (now.equals(ids) || ids.isEmpty()) {
        return found;
      }
      from = ids.get(ids.size() - 1);
      ids = idsFrom(from);
      if (ids.isEmpty() || ids.get(0) != from) {
        // It may have grown after it was opened, and what it has beyond that cannot be read any
        // more.
        throw new NoSuchFileException(directory.path() + "/" + SegmentFormat.name(from));
      }
    }
  }

  private List<Long> idsFrom(long first) throws IOException {
    return CommitLogReplay.ids(directory).stream().filter(id -> id >= first).toList();
  }

  /**
   * Passes every complete record to the visitor, in the order of appending.
   *
   * @throws CorruptFileException if the log is damaged, unless damage is to be skipped
   * @throws IOException if it cannot be read, or if the visitor throws it
   */
  public ReplayedLog replay(ReplayOptions options, ReplayVisitor visitor) throws IOException {
    return CommitLogReplay.replay(new Held(), options, visitor);
  }

  /**
   * Passes the complete records after the end of an earlier replay to the visitor, in the order of
   * appending; otherwise as {@link #replay}.
   *
   * @throws NoSuchFileException if the segment in which that replay ended was cut before its end
   */
  public ReplayedLog replayAfter(LogEnd end, ReplayOptions options, ReplayVisitor visitor)
      throws IOException {
    ReadableFile first = Objects.requireNonNull(files.get(end.segmentId()));
    if (first.length() < end.offset()) {
      throw new NoSuchFileException(
          first.path(), null, "it has " + first.length() + " bytes, and had " + end.offset());
    }
    return CommitLogReplay.replayAfter(end, new Held(), options, visitor);
  }

  private final class Held implements SegmentSource {
    @Override
    public String path() {
      return directory.path();
    }

    @Override
    public List<Long> ids() {
      return List.copyOf(files.keySet());
    }

    @Override
    public SegmentReader open(long id) throws IOException {
      return SegmentReader.over(Objects.requireNonNull(files.get(id)), id);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      Closeables.closeAll(files.values());
    } finally {
      files.clear();
    }
  }
}
