package io.siltstone.tools.load;

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
    String dataFile) {}
