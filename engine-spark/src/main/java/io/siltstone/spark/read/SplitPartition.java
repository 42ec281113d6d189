package io.siltstone.spark.read;

import io.siltstone.spark.files.ListedSSTable;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * What one task reads. Sent to its executor.
 *
 * @param parts of the table
 * @param sstables that may have rows of them
 */
record SplitPartition(List<ReadPart> parts, List<ListedSSTable> sstables)
    implements InputPartition {}
