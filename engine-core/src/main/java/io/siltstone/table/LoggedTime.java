package io.siltstone.table;

import io.siltstone.catalog.Identity;
import io.siltstone.commitlog.segment.CommitLogReplay;
import io.siltstone.commitlog.segment.LogFiles;
import io.siltstone.commitlog.segment.RecordType;
import io.siltstone.commitlog.segment.ReplayOptions;
import io.siltstone.commitlog.segment.ReplayVisitor;
import io.siltstone.commitlog.segment.ReplayedLog;
import io.siltstone.commitlog.segment.TableReplay;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.io.Directory;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Point-in-time restore: ends the commit log of a database, which nothing has open, at a time. The
 * log ends before the first record with a timestamp after it, as in Cassandra.
 *
 * <p>Used once, by one thread. Source: Cassandra {@code CommitLogReplayer}, {@code
 * restore_point_in_time}.
 */
public final class LoggedTime implements ReplayVisitor {
  private final Directory log;
  private final Identity identity;
  private final long lastMicros;
  private final CommitLogPosition from;
  private final LoggedTimestamps times = new LoggedTimestamps(null);

  /** Thrown to end the replay at the first record that is too late. */
  private static final class ReachedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient CommitLogPosition position;

    ReachedException(CommitLogPosition position) {
      super("reached at " + position);
      this.position = position;
    }
  }

  /**
   * @param identity of the database whose log it must be
   * @param lastMicros the greatest timestamp of records that are kept, in microseconds since 1970
   * @param from records up to this position are kept, whatever their timestamps
   */
  public LoggedTime(Directory log, Identity identity, long lastMicros, CommitLogPosition from) {
    this.log = log;
    this.identity = identity;
    this.lastMicros = lastMicros;
    this.from = from;
  }

  /**
   * Cuts off what is too late, durably. A log without such records is ended after its last record,
   * so that it can be continued although no next segment is there.
   *
   * @throws io.siltstone.io.CorruptFileException if a segment is damaged
   * @throws IOException if segments are missing before the time
   */
  public void cut() throws IOException {
    try {
      ReplayedLog replayed =
          CommitLogReplay.replay(
              log,
              new ReplayOptions(ReplayOptions.Damage.REFUSE, ReplayOptions.DEFAULT.upTo(), null),
              this);
      requireAll(replayed.end());
      LogFiles.endAt(log, replayed.end());
    } catch (ReachedException e) {
      LogFiles.endBefore(log, e.position);
    }
    log.sync();
    // What an opening would refuse is refused now: segments of another database, and missing ones.
    var unused =
        CommitLogReplay.replay(
            log,
            ReplayOptions.DEFAULT.of(identity.hostId()),
            (table, header) -> (type, position, bytes, offset, length) -> {});
  }

  /** Checks that the replay did not end before a gap. */
  private void requireAll(CommitLogPosition end) throws IOException {
    List<String> later =
        log.files().stream()
            .filter(
                name -> {
                  OptionalLong id = LogFiles.segmentOf(name);
                  return id.isPresent() && id.getAsLong() > end.segmentId();
                })
            .toList();
    if (!later.isEmpty()) {
      throw new IOException(
          "the archived log has a gap: "
              + String.join(", ", later)
              + " do not follow "
              + LogFiles.fileName(end.segmentId())
              + "; choose an earlier time, or add the segments between them");
    }
  }

  @Override
  public TableReplay table(UUID table, byte[] header) throws IOException {
    PartitionUpdate view = new PartitionUpdate(LoggedTableHeader.decode(header));
    return (type, position, bytes, offset, length) -> {
      if (type == RecordType.MUTATION && position.compareTo(from) > 0) {
        view.wrap(bytes, offset, length, identity.partitioner());
        if (times.read(view) > lastMicros) {
          throw new ReachedException(position);
        }
      }
    };
  }
}
