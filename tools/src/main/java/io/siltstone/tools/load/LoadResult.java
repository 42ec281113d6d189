package io.siltstone.tools.load;

import io.siltstone.tools.terminal.Failures;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a load did.
 *
 * @param rows in the table, without static ones
 * @param skipped rows of the input that were passed over
 * @param partitions in the table
 * @param inputBytes read
 * @param dataBytes of the table's data before compression
 * @param onDiskBytes of the data file
 * @param runs temporary files that the sort made, 0 if all fitted in memory
 * @param passes times that they were merged
 * @param dataFile full path
 * @param warnings what could not be removed when the table was there
 */
record LoadResult(
    long rows,
    long skipped,
    long partitions,
    long inputBytes,
    long dataBytes,
    long onDiskBytes,
    int runs,
    int passes,
    String dataFile,
    List<String> warnings) {

  /** The same, after whose table something failed. */
  LoadResult warning(Exception failure) {
    List<String> all =
        Stream.concat(Stream.of(failure), Stream.of(failure.getSuppressed()))
            .map(Failures::describe)
            .toList();
    return new LoadResult(
        rows, skipped, partitions, inputBytes, dataBytes, onDiskBytes, runs, passes, dataFile, all);
  }
}
