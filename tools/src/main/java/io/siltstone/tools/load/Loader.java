package io.siltstone.tools.load;

import io.siltstone.catalog.TableLock;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.liveset.LiveSet;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.tools.terminal.UsageException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loads the rows of one text into one new SSTable, in a directory that it locks meanwhile. After a
 * failure the directory has its previous content, without the sorted runs of earlier loads that
 * were killed. Confined to one thread.
 */
final class Loader {
  private static final int NOTICE_EVERY = 1024;

  private final LoadPlan plan;
  private final Directory directory;
  private final MemoryBudget memory;
  private final LoadProgress progress;
  private final CancelFlag stop;
  private long skipped;
  private long rows;
  // Set once the SSTable is complete.
  private @Nullable LoadResult loaded;

  /**
   * @param directory of the new SSTable, and of temporary files
   * @param memory budget of the writer's off-heap buffers
   * @param stop ends the load like a failure
   */
  Loader(
      LoadPlan plan,
      Directory directory,
      MemoryBudget memory,
      LoadProgress progress,
      CancelFlag stop) {
    this.stop = stop;
    this.plan = plan;
    this.directory = directory;
    this.memory = memory;
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
    Closeable lock = TableLock.take(directory);
    try (lock) {
      RunFiles.removeLeftovers(directory);
      return load(in, LiveSet.nextGeneration(directory));
    } catch (IOException | RuntimeException e) {
      LoadResult present = loaded;
      if (present == null) {
        throw e;
      }
      return present.warning(e);
    }
  }

  private LoadResult load(InputStream in, long generation) throws IOException {
    TableSchema table = plan.table();
    SchemaFile schema = new SchemaFile(directory, SchemaFile.NAME);
    schema.check(table);
    Descriptor descriptor = Descriptor.of(plan.output().version(), generation);
    RecordOrder order = new RecordOrder(table.clusteringTypes());
    SerializationHeader header = header(table);
    RowEncoding encoding =
        new RowEncoding(header, plan.output().version().hasUnsignedDeletionTimes());
    try (RecordSorter sorter =
        new RecordSorter(
            order, directory, RunFiles.prefixOf(descriptor), plan.maxMemoryBytes(), stop)) {
      long bytesRead = read(in, encoding, sorter);
      try (RecordStream records = sorter.finish();
          SSTableWriter writer =
              SSTableWriter.create(
                  directory,
                  descriptor,
                  header,
                  plan.output().partitioner(),
                  writerOptions(table.options(), sorter.partitions()),
                  memory)) {
        TableOutput output = new TableOutput(writer, order, encoding);
        output.writeAll(records, written -> progress.written(written, rows));
        commit(writer, schema, table);
        LoadResult result =
            new LoadResult(
                output.rows(),
                skipped,
                writer.partitions(),
                bytesRead,
                new LoadResult.Output(
                    directory.path() + "/" + descriptor.fileName(Component.DATA),
                    writer.dataLength(),
                    writer.onDiskLength()),
                sorter.filesMade(),
                sorter.passes(),
                List.of());
        loaded = result;
        progress.end();
        return result;
      }
    }
  }

  private void commit(SSTableWriter writer, SchemaFile schema, TableSchema table)
      throws IOException {
    // Before the SSTable, which without its schema could not be distinguished from another table's.
    boolean written = schema.writeIfMissing(table);
    try {
      writer.commit();
    } catch (Throwable e) {
      if (written) {
        schema.deleteAfter(e);
      }
      throw e;
    }
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

  private SSTableWriterOptions writerOptions(TableOptions options, long partitions) {
    return SSTableWriterOptions.builder()
        .compression(options.compression())
        .bloomFilterFpChance(options.bloomFilterFpChance())
        .minIndexInterval(options.minIndexInterval())
        .expectedPartitions(partitions)
        .outputVerification(plan.output().verification())
        .build();
  }

  /** Reads all rows; returns their length in bytes. */
  private long read(InputStream in, RowEncoding encoding, RecordSorter sorter) throws IOException {
    InputColumns columns = new InputColumns(plan.table());
    RowBuilder row =
        new RowBuilder(columns, encoding, plan.output().partitioner(), plan.times(), sorter);
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
