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
 * Reserves disk space for the outputs of running compactions, so that no two of them count on the
 * same free bytes.
 *
 * <p>Which directories share a file system is not known: all reservations of one object are assumed
 * to be on the same one. If they are not, a task may be refused although there is room; it can be
 * retried.
 *
 * <p>Safe for all threads.
 */
public final class DiskReservations {
  private final Set<Reservation> reservations = new HashSet<>();

  /** Makes an object without reservations. */
  public DiskReservations() {}

  /** Disk space for the outputs of a task, reserved until it is closed. */
  final class Reservation implements AutoCloseable {
    private final long bytes;
    private final TaskProgress progress;

    private Reservation(long bytes, TaskProgress progress) {
      this.bytes = bytes;
      this.progress = progress;
    }

    /**
     * Returns the bytes still reserved: the share of the inputs that is still to be read. What was
     * read has been written or left out.
     */
    private long left() {
      long total = progress.bytesTotal();
      long read = Math.min(total, progress.bytesRead());
      return total == 0 ? bytes : (long) Math.ceil((double) bytes * (total - read) / total);
    }

    /** Releases what was not written. */
    @Override
    public void close() {
      synchronized (reservations) {
        reservations.remove(this);
      }
    }
  }

  /**
   * Reserves as many bytes as the inputs have on disk; as many as they have uncompressed if the
   * outputs use another compression.
   *
   * @param inputs the SSTables to read; an empty list needs no space
   * @param schema of the outputs
   * @param progress of the task, which reduces its reservation
   * @throws NotEnoughSpaceException if fewer bytes are available than this and all other
   *     reservations
   */
  Reservation reserve(List<SSTable> inputs, TableSchema schema, TaskProgress progress)
      throws IOException {
    TableOptions written = schema.options();
    long needed = inputs.stream().mapToLong(input -> input.mostOnDisk(written.compression())).sum();
    Reservation reservation = new Reservation(needed, progress);
    synchronized (reservations) {
      if (needed > 0) {
        Directory directory = inputs.get(0).directory();
        // In this order, bytes written in between count twice rather than not at all.
        long reserved = reservations.stream().mapToLong(Reservation::left).sum();
        long available = directory.usableSpace();
        if (available - reserved < needed) {
          throw new NotEnoughSpaceException(directory.path(), needed, available, reserved);
        }
      }
      reservations.add(reservation);
    }
    return reservation;
  }
}
