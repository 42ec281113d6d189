package io.siltstone.spark.read;

import io.siltstone.OfflineTable;
import io.siltstone.rows.ColumnVector;
import io.siltstone.rows.ColumnarReader;
import io.siltstone.rows.PagingState;
import io.siltstone.rows.Query;
import io.siltstone.spark.files.ListedDirectory;
import io.siltstone.spark.files.ListedSSTable;
import io.siltstone.spark.table.SourceTable;
import io.siltstone.spark.types.BatchColumns;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Component;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a task reads of a table, batch by batch: one query for each part. If damaged SSTables
 * are to be skipped, one that turns out to be damaged is left out from the last batch on. Used by
 * one thread.
 */
final class SplitReader implements PartitionReader<ColumnarBatch> {
  private static final Logger LOG = LoggerFactory.getLogger(SplitReader.class);

  // Spark's columns take less than 2 GiB of a column in a batch, and an executor's heap much less.
  private static final long BATCH_BYTES = 16L << 20;

  private final ScanPlan plan;
  private final List<ReadPart> parts;
  private final List<ListedSSTable> sstables;
  private final BatchColumns columns;
  private long left;
  private int batchRows;
  private int nextPart;
  private long skippedBytes;
  private int rows;

  private @Nullable ListedDirectory directory;
  private @Nullable OfflineTable table;
  private @Nullable ColumnarReader reader;
  private @Nullable ColumnVector[] fillers = {};
  // The position at which reading goes on within the present part, after an SSTable was left out.
  private @Nullable PagingState after;

  SplitReader(ScanPlan plan, SplitPartition partition) {
    this.plan = plan;
    this.parts = partition.parts();
    this.sstables = new ArrayList<>(partition.sstables());
    this.left = plan.selection().limit();
    this.columns =
        new BatchColumns(
            plan.selection().type(), plan.settings().areNumbersText(), plan.settings().batchRows());
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      try {
        if (reader == null && !openNext()) {
          return false;
        }
        if (fill()) {
          return true;
        }
      } catch (IOException | RuntimeException e) {
        skipOrThrow(e);
      }
    }
  }

  private boolean fill() throws IOException {
    ColumnarReader open = reader;
    if (open == null) {
      return false;
    }
    columns.reset();
    rows = open.fill(fillers, batchRows);
    if (rows == 0) {
      after = null;
      nextPart++;
      reader = null;
      open.close();
      return false;
    }
    if (left != Query.NO_LIMIT) {
      left -= rows;
    }
    if (plan.settings().skipsDamage()) {
      after = open.pagingState().orElse(null);
      if (after == null) {
        // The part has ended with this batch.
        nextPart++;
        reader = null;
        open.close();
      }
    }
    return true;
  }

  /** Opens the query of the next part; returns whether there is one. */
  private boolean openNext() throws IOException {
    if (nextPart == parts.size() || left == 0) {
      return false;
    }
    OfflineTable open = table;
    if (open == null) {
      directory = plan.directory(sstables);
      open = SourceTable.open(directory, plan.schema());
      table = open;
      batchRows = batchRows(open);
    }
    Query query = plan.query(open, parts.get(nextPart), left);
    if (after != null) {
      query = query.after(after);
    }
    ColumnarReader opened = open.readColumns(query);
    reader = opened;
    fillers = columns.fillers(opened.columns());
    return true;
  }

  /** Returns how many rows a batch has at most: fewer than the option says if rows are long. */
  private int batchRows(OfflineTable of) {
    double most = plan.settings().batchRows();
    for (LiveTable each : of.live().tables()) {
      if (each.rows() > 0) {
        most = Math.min(most, (double) BATCH_BYTES * each.rows() / each.dataBytes());
      }
    }
    return Math.max(1, (int) most);
  }

  /**
   * Leaves out the SSTable that is to blame, if it is to be skipped.
   *
   * @throws IOException if not; its message names the file that is read
   */
  private void skipOrThrow(Exception failure) throws IOException {
    String message = String.valueOf(failure.getMessage());
    String reason = directory == null ? message : directory.locate(message);
    Optional<ListedSSTable> blamed =
        SourceTable.isDamage(failure) && plan.settings().skipsDamage()
            ? SourceTable.blamed(sstables, reason)
            : Optional.empty();
    if (blamed.isEmpty()) {
      throw new IOException(reason, failure);
    }
    LOG.warn(
        "the rest of {}, of {} bytes of files, is skipped: {}",
        blamed.get().path(Component.DATA),
        blamed.get().bytes(),
        reason);
    skippedBytes += blamed.get().bytes();
    sstables.remove(blamed.get());
    closeTable();
  }

  private void closeTable() throws IOException {
    reader = null;
    OfflineTable open = table;
    table = null;
    if (open != null) {
      // Closes the reader, too.
      open.close();
    }
  }

  @Override
  public ColumnarBatch get() {
    return columns.batch(rows);
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return new CustomTaskMetric[] {SkippedBytesMetric.of(skippedBytes)};
  }

  @Override
  public void close() throws IOException {
    try {
      closeTable();
    } finally {
      columns.close();
    }
  }
}
