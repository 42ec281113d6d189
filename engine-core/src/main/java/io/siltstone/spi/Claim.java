package io.siltstone.spi;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableRebuild;
import io.siltstone.sstable.SSTableRewriter;
import io.siltstone.sstable.SSTableWriter;
import java.io.IOException;
import java.util.List;

/**
 * The right to replace some SSTables of one table by others. Closed without {@link #commit()}:
 * inputs stay, outputs are removed.
 *
 * <p>Used by one thread at a time, but several outputs may be written on several threads at once.
 */
public interface Claim extends AutoCloseable {
  /**
   * Where, below a table's directory, jobs keep files of SSTables that they take away. A generation
   * that has files there is given to no other SSTable, so that it finds its names free.
   */
  String SET_ASIDE = SSTableRebuild.SET_ASIDE;

  /** Returns the SSTables to be replaced: open until {@link #close()}, in no particular order. */
  List<SSTable> inputs();

  /** Returns what a purge must not forget. Closed with the claim; one view per thread. */
  OverlapView overlaps();

  /**
   * Begins an SSTable of the next generation, with the table's present options. The claim owns it:
   * it is completed by {@link #commit()} or removed by {@link #close()}, and has its {@code commit}
   * and {@code close} called by nobody else. To {@linkplain SSTableWriter#finish() finish} it
   * earlier gives back its memory and is welcome. One that was given no partition is removed by
   * {@link #commit()}.
   */
  SSTableWriter newOutput(OutputHints hints) throws IOException;

  /**
   * Begins a copy of an input under the next generation, with the table's present compression, on a
   * level that may be another, and all else as it is. Owned by the claim as other outputs are.
   *
   * @param level in leveled compaction
   * @param executors that compress, write and sync
   * @param outputVerification how thoroughly the copy is verified before it is committed
   */
  SSTableRewriter newCopy(
      SSTable input, int level, PipelineExecutors executors, OutputVerification outputVerification)
      throws IOException;

  /**
   * Makes the outputs live and the inputs obsolete, durably and at once: after a crash either the
   * inputs are there or the outputs. Returns when that is certain. The inputs' files are deleted
   * when nobody reads them any more.
   *
   * @param onDiskBytesRead of the data files of inputs, for {@link
   *     io.siltstone.statistics.Traffic}; those that go unread do not count
   * @throws IOException if it failed: then nothing has changed, or, if it cannot be known whether
   *     the disk has the change, the table refuses all further changes until it is opened again
   * @throws java.util.concurrent.CancellationException if the inputs were dropped meanwhile
   */
  void commit(long onDiskBytesRead) throws IOException;

  /** As {@link #commit(long)}, all inputs having been read. */
  default void commit() throws IOException {
    commit(inputs().stream().mapToLong(SSTable::onDiskLength).sum());
  }

  /**
   * Lets go of the inputs and, if not committed, removes the outputs; a second call does nothing.
   *
   * @throws IOException if files could not be removed; they will be when the table is opened again
   */
  @Override
  void close() throws IOException;
}
