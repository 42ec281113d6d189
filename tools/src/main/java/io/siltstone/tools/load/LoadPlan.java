package io.siltstone.tools.load;

import io.siltstone.maintenance.OutputVerification;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.FormatVersion;

/**
 * What is loaded and how.
 *
 * @param table whose rows they are; its options say how the files are written
 * @param inputName for messages
 * @param maxMemoryBytes for the rows that are sorted at a time
 * @param maxLineBytes that a row may have in the text
 * @param skipBadRows how many rows that cannot be taken are passed over before the load fails
 * @param outputVerification how thoroughly the SSTable is verified before it counts
 */
record LoadPlan(
    TableSchema table,
    String inputName,
    InputFormat format,
    FormatVersion version,
    Partitioner partitioner,
    CellTimes times,
    long maxMemoryBytes,
    int maxLineBytes,
    long skipBadRows,
    OutputVerification outputVerification) {

  /** Longest row of a text, if nothing else is said. */
  static final int DEFAULT_MAX_LINE_BYTES = 64 << 20;
}
