package io.siltstone.bulk;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A bulk load: sorts changes, writes them to SSTables, and publishes these at once. Closing it
 * without a commit leaves nothing. Confined to one thread at a time.
 */
public final class BulkLoad implements Closeable {
  private static final int STEPS_PER_NOTICE = 1024;

  private final BulkTarget target;
  private final Settings settings;
  private final RowEncoding encoding;
  private final Claim claim;
  private final UpdateSorter sorter;
  private final Division.Ranges ranges;
  private final LongConsumer notice;
  private final Closeables closeables = new Closeables();
  private @Nullable BulkOutput output;
  private int steps;

  /**
   * The settings of a load. Immutable.
   *
   * @param memoryBytes for the rows that are sorted at a time
   * @param division into SSTables
   * @param version of the SSTables; null for that of the target
   * @param compression of the SSTables; null for that of the table
   * @param verification of the SSTables
   * @param isLaterRows see {@link UpdateSorter}
   */
  public record Settings(
      long memoryBytes,
      Division division,
      @Nullable FormatVersion version,
      @Nullable CompressionOptions compression,
      OutputVerification verification,
      boolean isLaterRows) {}

  /**
   * Begins a load.
   *
   * @param target taken over: closed with this, also if this throws
   * @param encoding of all changes
   * @param notice receives the number of rows that have been written to SSTables, from time to
   *     time; an exception that it throws ends the work
   */
  public BulkLoad(BulkTarget target, Settings settings, RowEncoding encoding, LongConsumer notice)
      throws IOException {
    this.target = target;
    this.settings = settings;
    this.encoding = encoding;
    this.notice = notice;
    this.ranges = new Division.Ranges(settings.division());
    closeables.add(target);
    try {
      claim = closeables.add(target.begin());
      sorter =
          closeables.add(
              new UpdateSorter(
                  encoding,
                  target.directory(),
                  target.version(),
                  settings.memoryBytes(),
                  settings.isLaterRows(),
                  this::step));
    } catch (Throwable e) {
      closeables.closeAfter(e);
      throw e;
    }
  }

  private void step() {
    if (++steps % STEPS_PER_NOTICE == 0) {
      target.requireOpen();
      BulkOutput present = output;
      notice.accept(present == null ? 0 : present.rows());
    }
  }

  /** Adds a change, which is copied; see {@link UpdateSorter#add}. */
  public void add(PartitionUpdate update) throws IOException {
    target.requireOpen();
    ranges.count(update.key().token());
    sorter.add(update);
  }

  /**
   * Writes all that was added to SSTables, and publishes them.
   *
   * @return the SSTables, in the order of their partitions; empty if nothing was added
   */
  public Outcome commit() throws IOException {
    BulkOutput written = write();
    if (!written.written().isEmpty()) {
      target.publish(claim, written.written());
    }
    return new Outcome(
        List.copyOf(written.written()),
        written.partitions(),
        written.rows(),
        written.dataBytes(),
        written.onDiskBytes(),
        sorter.filesMade(),
        sorter.passes());
  }

  /**
   * The result of a load.
   *
   * @param rows without static rows
   * @param dataBytes before compression
   * @param runs number of temporary files
   * @param passes number of times that they were merged
   */
  public record Outcome(
      List<Descriptor> sstables,
      long partitions,
      long rows,
      long dataBytes,
      long onDiskBytes,
      int runs,
      int passes) {}

  private BulkOutput write() throws IOException {
    try (PartitionCursor merged = sorter.finish()) {
      BulkOutput writing =
          new BulkOutput(claim, hints(), settings.division(), ranges, sorter.addedBytes());
      output = writing;
      writing.writeAll(merged, this::step);
      return writing;
    }
  }

  private OutputHints hints() {
    return OutputHints.of(header(), sorter.partitions())
        .withOutputVerification(settings.verification())
        .withForm(settings.version(), settings.compression());
  }

  /**
   * Returns the header of the SSTables: that of the changes, so that rows are copied as they are;
   * unless some are older than the base of its timestamps, as when old data is loaded. Each of
   * these timestamps would take nine bytes, so the least of them becomes the base.
   */
  private SerializationHeader header() {
    SerializationHeader header = encoding.header();
    EncodingStats stats = header.stats();
    if (sorter.minTimestamp() >= stats.minTimestamp()) {
      return header;
    }
    return header.withStats(
        new EncodingStats(sorter.minTimestamp(), stats.minLocalDeletionTime(), stats.minTtl()));
  }

  /**
   * Removes the temporary files and, if not committed, the SSTables; closes the target. A second
   * call does nothing.
   */
  @Override
  public void close() throws IOException {
    closeables.close();
  }
}
