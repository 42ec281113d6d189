package io.siltstone.spark.read;

import io.siltstone.spark.files.ListedSSTable;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * The part of a scan that one task reads. It is sent to the task's executor.
 *
 * @param parts of the table
 * @param sstables that may have rows of them
 */
record SplitPartition(List<ReadPart> parts, List<ListedSSTable> sstables)
    implements InputPartition {}
