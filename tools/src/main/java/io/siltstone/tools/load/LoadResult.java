package io.siltstone.tools.load;

import io.siltstone.tools.terminal.FailureReporter;
import java.util.List;
import java.util.stream.Stream;

/**
 * The outcome of a load.
 *
 * @param rows number of rows in the table, without static rows
 * @param skipped number of rows of the input that were skipped because they were wrong
 * @param partitions number of partitions in the table
 * @param inputBytes size of the input
 * @param output the table's files
 * @param runs number of temporary files that the sort wrote; 0 if all rows fitted in memory
 * @param passes number of times that they were merged
 * @param warnings failures to remove temporary files after the table was complete
 */
record LoadResult(
    long rows,
    long skipped,
    long partitions,
    long inputBytes,
    Output output,
    int runs,
    int passes,
    List<String> warnings) {

  /**
   * The SSTable that was written.
   *
   * @param dataFile full path of its data file
   * @param dataBytes size of its data before compression
   * @param onDiskBytes size of its data file
   */
  record Output(String dataFile, long dataBytes, long onDiskBytes) {}

  /** Returns this result with a warning for each failure after the table was complete. */
  LoadResult warning(Exception failure) {
    List<String> all =
        Stream.concat(Stream.of(failure), Stream.of(failure.getSuppressed()))
            .map(FailureReporter::describe)
            .toList();
    return new LoadResult(rows, skipped, partitions, inputBytes, output, runs, passes, all);
  }
}
