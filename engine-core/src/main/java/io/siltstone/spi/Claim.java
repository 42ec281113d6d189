package io.siltstone.spi;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableRewriter;
import io.siltstone.sstable.SSTableWriter;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A claim on SSTables of one table: the exclusive right to replace them by others. If it is closed
 * without {@link #commit()}, the inputs stay and the outputs are removed.
 *
 * <p>Used by one thread at a time, but several outputs may be written on several threads at once.
 */
public interface Claim extends AutoCloseable {
  /** Returns the SSTables to be replaced: open until {@link #close()}, in no particular order. */
  List<SSTable> inputs();

  /**
   * Returns a view of the overlapping data for tombstone purges. It is closed with the claim; each
   * thread uses its own.
   */
  OverlapView overlaps();

  /**
   * Returns the table's retention floor now; null if it has none. What is below it may be left out.
   */
  default @Nullable RetentionFloor retentionFloor() {
    return null;
  }

  /**
   * Returns the deletions of ranges of keys that are durable now; null if the table has none. What
   * they delete may be left out, as by a deletion of each partition. They must not be written,
   * since the table keeps them.
   */
  default @Nullable KeyRangeDeletions keyRanges() {
    return null;
  }

  /**
   * Notes that the outputs have nothing that deletions of ranges of keys delete. The commit then
   * purges those that are not needed any more.
   *
   * @param deletions from {@link #keyRanges}
   * @param gcBefore in seconds since 1970: older deletions are past {@code gc_grace_seconds}
   */
  default void leftOut(KeyRangeDeletions deletions, long gcBefore) {}

  /**
   * Begins an SSTable of the next generation, with the table's present options. The claim owns it:
   * {@link #commit()} completes it or {@link #close()} removes it, and the caller must call neither
   * its {@code commit} nor its {@code close}. The caller may {@linkplain SSTableWriter#finish()
   * finish} it earlier, which frees its memory. {@link #commit()} removes an output without
   * partitions.
   */
  SSTableWriter newOutput(OutputHints hints) throws IOException;

  /**
   * Begins a copy of an input under the next generation, with the table's present compression,
   * possibly on another level, and otherwise unmodified. The claim owns it, like other outputs.
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
   * inputs are there or the outputs. Returns when the change is durable. The inputs' files are
   * deleted when they are no longer read.
   *
   * @param onDiskBytesRead of the data files of inputs, for {@link
   *     io.siltstone.statistics.Traffic}; inputs that were not read do not count
   * @throws IOException if it failed: then nothing has changed, or, if it is unknown whether the
   *     disk has the change, the table rejects all further changes until it is opened again
   * @throws java.util.concurrent.CancellationException if the inputs were dropped meanwhile
   */
  void commit(long onDiskBytesRead) throws IOException;

  /** Commits as {@link #commit(long)} does, when all inputs have been read. */
  default void commit() throws IOException {
    commit(inputs().stream().mapToLong(SSTable::onDiskLength).sum());
  }

  /**
   * Releases the inputs and, if not committed, removes the outputs; a second call does nothing.
   *
   * @throws IOException if files could not be removed; this is repeated when the table is opened
   *     again
   */
  @Override
  void close() throws IOException;
}
