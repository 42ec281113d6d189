package io.siltstone;

import io.siltstone.catalog.Identity;
import io.siltstone.commitlog.segment.LogFiles;
import io.siltstone.files.FileCopy;
import io.siltstone.io.Directory;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.table.DatabaseLayout;
import io.siltstone.table.LoggedTime;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;

/** The writes after a backup, from the archive of the commit log, for a point-in-time restore. */
final class ArchivedWrites {
  private ArchivedWrites() {}

  /**
   * Adds the archived segments to a restored database that nothing has open, and ends its log at a
   * time. What was changed is durable on return.
   */
  static void addTo(Directory root, Directory archive, Identity identity, Instant upTo)
      throws IOException {
    Directory log = new DatabaseLayout(root, identity, Optional.empty()).commitLog();
    CommitLogPosition end = CommitLogPosition.NONE;
    long first = Long.MAX_VALUE;
    for (String name : log.files()) {
      OptionalLong id = LogFiles.segmentOf(name);
      if (id.isPresent()) {
        first = Math.min(first, id.getAsLong());
        if (id.getAsLong() > end.segmentId()) {
          end = new CommitLogPosition(id.getAsLong(), Math.toIntExact(log.length(name)));
        }
      }
    }
    for (String name : archive.files()) {
      OptionalLong id = LogFiles.segmentOf(name);
      if (id.isPresent() && id.getAsLong() >= first) {
        addSegment(archive, log, name);
      }
    }
    log.sync();
    new LoggedTime(log, identity, micros(upTo), end).cut();
  }

  /** Copies a segment, which replaces the beginning of it that the backup has. */
  private static void addSegment(Directory archive, Directory log, String name) throws IOException {
    if (log.exists(name)) {
      if (archive.length(name) <= log.length(name)) {
        return;
      }
      log.delete(name);
    }
    FileCopy.copy(archive, name, log, name, bytes -> {});
  }

  private static long micros(Instant time) {
    try {
      return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }
}
