package io.siltstone;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.table.AutomaticTimestamps;
import io.siltstone.table.Checkpoint;
import io.siltstone.table.Flusher;
import io.siltstone.table.MutationWriter;
import io.siltstone.table.TableChanges;
import io.siltstone.table.TableStore;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of a database that exist only while it is open for writing. Safe for all threads; the
 * engine closes them.
 */
record WritePath(
    CommitLog log,
    Flusher flusher,
    MutationWriter writer,
    TableChanges tables,
    Checkpoint checkpoint,
    AutomaticTimestamps timestamps) {
  private static final Logger LOG = LoggerFactory.getLogger(WritePath.class);

  /** A write, which returns the log's position. */
  @FunctionalInterface
  interface Write {
    long by(MutationWriter writer) throws IOException;
  }

  /** Writes, and waits until that is as durable as the sync mode promises. */
  void write(Write write) throws IOException {
    writer.awaitSynced(write.by(writer));
  }

  /** Writes, and returns the stage that completes when that is as durable as promised. */
  CompletionStage<Void> writeAsync(Write write) throws IOException {
    return writer.synced(write.by(writer));
  }

  /**
   * Flushes all memtables, when the database is closed.
   *
   * @param path of the database, for messages
   */
  void flushLast(Collection<TableStore> stores, String path) throws IOException {
    flusher.flushAll(stores);
    releaseTruncations(path);
  }

  /**
   * Starts a new segment if the log contains a truncation, so that the old ones can be deleted:
   * replayed, the truncation would remove what is put into the table's directory while the database
   * is closed. Without a truncation the segments are kept until the next opening: if that finds an
   * SSTable damaged, they may still contain its rows.
   */
  private void releaseTruncations(String path) throws CommitLogFailedException {
    if (!tables.isTruncationLogged()) {
      return;
    }
    try {
      log.startSegment();
    } catch (CommitLogFailedException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("{}: segments of the commit log stay until they are archived", path, e);
    }
  }
}
