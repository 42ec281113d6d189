package io.siltstone.tools.load;

import io.siltstone.BulkWriter;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loads the rows of one text into one new SSTable, in a directory that it locks meanwhile. After a
 * failure the directory has its previous content, without what earlier loads that were killed have
 * left. Confined to one thread.
 */
final class Loader {
  private static final int NOTICE_EVERY = 1024;

  private final LoadPlan plan;
  private final Directory directory;
  private final LoadProgress progress;
  private final CancelFlag stop;
  private long skipped;
  private long rows;
  // Set once the SSTable is complete.
  private @Nullable LoadResult loaded;

  /**
   * @param directory of the new SSTable, and of temporary files
   * @param stop ends the load like a failure
   */
  Loader(LoadPlan plan, Directory directory, LoadProgress progress, CancelFlag stop) {
    this.stop = stop;
    this.plan = plan;
    this.directory = directory;
    this.progress = progress;
  }

  /**
   * Loads the text. Failures after the SSTable is complete are warnings of the result.
   *
   * @param in the text; closed by the caller
   * @throws UsageException if the text or the plan is wrong
   * @throws IOException if another process has locked the directory
   */
  LoadResult load(InputStream in) throws IOException {
    checkPlan(plan.table());
    new SchemaFile(directory, SchemaFile.NAME).check(plan.table());
    SerializationHeader header = header(plan.table());
    RowEncoding encoding =
        new RowEncoding(header, plan.output().version().hasUnsignedDeletionTimes());
    try (BulkWriter writer = open(encoding)) {
      long bytesRead = read(in, encoding, writer);
      LoadResult result = result(writer.commit(), bytesRead);
      loaded = result;
      progress.end();
      return result;
    } catch (IOException | RuntimeException e) {
      LoadResult present = loaded;
      if (present != null) {
        return present.warning(e);
      }
      if (e instanceof UncheckedIOException stopped) {
        throw stopped.getCause();
      }
      throw e;
    }
  }

  private BulkWriter open(RowEncoding encoding) throws IOException {
    return BulkWriter.into(directory, plan.table())
        .version(plan.output().version())
        .partitioner(plan.output().partitioner())
        .outputVerification(plan.output().verification())
        .memoryBytes(plan.maxMemoryBytes())
        .encoding(encoding)
        // All rows have the same timestamp.
        .laterRowsWin()
        .progress(this::written)
        .open();
  }

  private void written(long done) {
    try {
      stop.check();
    } catch (InterruptedIOException e) {
      throw new UncheckedIOException(e);
    }
    if (done > 0) {
      progress.written(done, rows);
    }
  }

  private LoadResult result(BulkWriter.Result written, long bytesRead) {
    Descriptor descriptor = written.sstables().get(0);
    return new LoadResult(
        written.rows(),
        skipped,
        written.partitions(),
        bytesRead,
        new LoadResult.Output(
            directory.path() + "/" + descriptor.fileName(Component.DATA),
            written.dataBytes(),
            written.onDiskBytes()),
        written.runs(),
        written.passes(),
        List.of());
  }

  private void checkPlan(TableSchema table) {
    if (table.isCounter()) {
      throw new UsageException(
          table.keyspace()
              + "."
              + table.name()
              + " has counters, which cannot be loaded: a counter is the sum of what its writers"
              + " added");
    }
    CellTimes times = plan.times();
    if (times.ttlSeconds() > 0
        && times.expirationSeconds() > plan.output().version().maxLocalDeletionTime()) {
      throw new UsageException(
          "rows with a TTL of "
              + times.ttlSeconds()
              + " s would expire at "
              + times.expirationSeconds()
              + " s since 1970; version "
              + plan.output().version().text()
              + " holds times to "
              + plan.output().version().maxLocalDeletionTime());
    }
  }

  private SerializationHeader header(TableSchema table) {
    boolean overwrites =
        Stream.concat(table.staticColumns().stream(), table.regularColumns().stream())
            .anyMatch(column -> column.type().isMultiCell());
    return new SerializationHeader(
        table.keyType(),
        table.clusteringTypes(),
        headerColumns(table.staticColumns()),
        headerColumns(table.regularColumns()),
        plan.times().stats(overwrites));
  }

  private static List<HeaderColumn> headerColumns(List<Column> columns) {
    return columns.stream().map(column -> new HeaderColumn(column.name(), column.type())).toList();
  }

  /** Reads all rows; returns their length in bytes. */
  private long read(InputStream in, RowEncoding encoding, BulkWriter writer) throws IOException {
    InputColumns columns = new InputColumns(plan.table());
    RowBuilder row =
        new RowBuilder(columns, encoding, plan.output().partitioner(), plan.times(), writer);
    RowSource source = plan.format().rows(new LineReader(in, plan.maxLineBytes()), columns);
    boolean more = true;
    while (more) {
      stop.check();
      try {
        more = source.next(row);
        if (more) {
          row.finish();
          rows++;
        }
      } catch (BadRowException e) {
        refuse(source.lineNumber(), e);
      } catch (HeaderException e) {
        throw new UsageException(plan.inputName() + ": " + e.getMessage(), e);
      } catch (ClosedChannelException e) {
        // Closing the input is how a blocked read is interrupted.
        stop.check();
        throw e;
      }
      if (rows % NOTICE_EVERY == 0) {
        progress.read(source.bytesRead(), rows);
      }
    }
    if (rows == 0) {
      throw new UsageException(
          plan.inputName()
              + ": nothing to load, there is "
              + (skipped == 0 ? "no row" : "no row that could be loaded, " + skipped + " skipped"));
    }
    return source.bytesRead();
  }

  private void refuse(long line, BadRowException e) {
    skipped++;
    if (skipped > plan.skipBadRows()) {
      throw new UsageException(
          plan.inputName()
              + ", line "
              + line
              + ": "
              + e.getMessage()
              + (plan.skipBadRows() > 0
                  ? "; " + plan.skipBadRows() + " bad rows were skipped before, as allowed"
                  : ""),
          e);
    }
  }
}
