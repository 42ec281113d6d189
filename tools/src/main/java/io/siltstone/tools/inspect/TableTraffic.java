package io.siltstone.tools.inspect;

import io.siltstone.jmx.BeanNames;
import io.siltstone.jmx.DistributionFigures;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.schema.TableSchema;
import io.siltstone.tools.process.ProcessOption;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.management.JMX;
import org.jspecify.annotations.Nullable;

/**
 * How a table is used, as the process counts that has it open.
 *
 * @param reads of a partition, since the process opened the database
 * @param scans of several partitions
 * @param writes mutations
 * @param sstablesPerRead that had the partition of a read, on average
 * @param chunksPerRead that came from files and not from the chunk cache, on average
 * @param diskBytesPerRead of those chunks, as stored
 */
record TableTraffic(
    long reads,
    long scans,
    long writes,
    double sstablesPerRead,
    double chunksPerRead,
    double diskBytesPerRead) {

  /** Fewer operations than these say nothing of what is usual. */
  static final long ENOUGH = 1000;

  /** Reads for each write below which reads do not decide. */
  static final double RARE = 0.1;

  /** Chunks from files per read below which the chunk cache has what is read. */
  static final double CACHED = 0.1;

  /**
   * Asks a process.
   *
   * @param directory that the process has open as a database
   * @return empty if no process was named
   */
  static Optional<TableTraffic> ask(ProcessOption process, Path directory, TableSchema of)
      throws IOException {
    if (process.count() == 0) {
      return Optional.empty();
    }
    if (process.count() > 1) {
      throw new UsageException("name either --pid or --jmx");
    }
    return Optional.of(
        process.ask(
            server -> {
              List<String> open =
                  server.queryNames(BeanNames.databases(), null).stream()
                      .map(BeanNames::path)
                      .sorted()
                      .toList();
              for (String place : open) {
                if (isSame(place, directory)) {
                  return of(
                      JMX.newMXBeanProxy(
                          server,
                          BeanNames.table(place, of.keyspace(), of.name()),
                          TableMXBean.class));
                }
              }
              throw new UsageException(
                  process
                      + " has not registered "
                      + directory
                      + ", it has "
                      + (open.isEmpty() ? "no database" : open));
            }));
  }

  private static boolean isSame(String place, Path directory) throws IOException {
    try {
      Path path = Path.of(place);
      return Files.exists(path) && Files.isSameFile(path, directory);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static TableTraffic of(TableMXBean table) {
    return new TableTraffic(
        table.getReadCount(),
        table.getScanCount(),
        table.getWriteCount(),
        mean(table.getSSTablesPerRead()),
        mean(table.getChunksPerRead()),
        mean(table.getDiskBytesPerRead()));
  }

  private static double mean(@Nullable DistributionFigures of) {
    return of == null ? 0 : of.getMean();
  }

  /** Whether reads are so few beside writes that they do not decide what suits. */
  boolean hasRareReads() {
    return writes >= ENOUGH && reads + scans < RARE * writes;
  }

  /** Whether there were enough reads for their averages to say something. */
  boolean hasReads() {
    return reads >= ENOUGH;
  }

  /** Whether reads find nearly all chunks in the cache. */
  boolean isCached() {
    return hasReads() && chunksPerRead < CACHED;
  }
}
