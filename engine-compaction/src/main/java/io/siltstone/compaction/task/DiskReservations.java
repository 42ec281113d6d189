package io.siltstone.compaction.task;

import io.siltstone.io.Directory;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What tasks that run may still write, so that no two count on the same free bytes.
 *
 * <p>Which directories share a file system is not known: all tasks of one account are taken to.
 * Where they do not, one may be refused that would have found room; it can be tried again.
 *
 * <p>Safe for all threads.
 */
public final class DiskReservations {
  private final Set<Promise> promises = new HashSet<>();

  /** In which nothing is promised. */
  public DiskReservations() {}

  /** Room for the outputs of a task, until it is closed. */
  final class Promise implements AutoCloseable {
    private final long bytes;
    private final TaskProgress progress;

    private Promise(long bytes, TaskProgress progress) {
      this.bytes = bytes;
      this.progress = progress;
    }

    /** As much as is still to be read: what has been read is written, or was left out. */
    private long left() {
      long total = progress.bytesTotal();
      long read = Math.min(total, progress.bytesRead());
      return total == 0 ? bytes : (long) Math.ceil((double) bytes * (total - read) / total);
    }

    /** Gives back what was not written. */
    @Override
    public void close() {
      synchronized (promises) {
        promises.remove(this);
      }
    }
  }

  /**
   * Takes room for outputs as large as the inputs; for those that are compressed otherwise, as
   * large as they are uncompressed.
   *
   * @param inputs none of them needs no room
   * @param schema of the outputs
   * @param progress of the task, by which its promise becomes less
   * @throws NotEnoughSpaceException if there is less than that beside what others were promised
   */
  Promise promise(List<SSTable> inputs, TableSchema schema, TaskProgress progress)
      throws IOException {
    TableOptions written = schema.options();
    long needed = inputs.stream().mapToLong(input -> input.mostOnDisk(written.compression())).sum();
    Promise promise = new Promise(needed, progress);
    synchronized (promises) {
      if (needed > 0) {
        Directory directory = inputs.get(0).directory();
        // In this order: what is written in between counts twice rather than not at all.
        long promised = promises.stream().mapToLong(Promise::left).sum();
        long available = directory.usableSpace();
        if (available - promised < needed) {
          throw new NotEnoughSpaceException(directory.path(), needed, available, promised);
        }
      }
      promises.add(promise);
    }
    return promise;
  }
}
