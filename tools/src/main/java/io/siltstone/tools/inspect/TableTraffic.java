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
 * The reads and writes of a table, as counted by the process that has it open.
 *
 * @param reads reads of one partition since the process opened the database
 * @param scans reads of several partitions
 * @param writes mutations
 * @param sstablesPerRead mean number of SSTables that had the partition of a read
 * @param chunksPerRead mean number of chunks that a read took from files and not from the chunk
 *     cache
 * @param diskBytesPerRead mean size of those chunks, as stored
 */
record TableTraffic(
    long reads,
    long scans,
    long writes,
    double sstablesPerRead,
    double chunksPerRead,
    double diskBytesPerRead) {

  /** With fewer operations, the counters are not representative. */
  static final long ENOUGH = 1000;

  /** Reads per write below which reads are ignored. */
  static final double RARE = 0.1;

  /** Chunks from files per read below which the chunk cache contains nearly all that is read. */
  static final double CACHED = 0.1;

  /**
   * Queries a process.
   *
   * @param directory database that the process has open
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

  /** Returns whether reads are so rare in relation to writes that they are ignored. */
  boolean hasRareReads() {
    return writes >= ENOUGH && reads + scans < RARE * writes;
  }

  /** Returns whether there were enough reads for their averages to be meaningful. */
  boolean hasReads() {
    return reads >= ENOUGH;
  }

  /** Returns whether reads find nearly all chunks in the cache. */
  boolean isCached() {
    return hasReads() && chunksPerRead < CACHED;
  }
}
