package io.siltstone.tools.load;

import io.siltstone.maintenance.OutputVerification;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.FormatVersion;

/**
 * The input of a load, the table that it makes, and its limits.
 *
 * @param table definition of the table; its options say how the files are written
 * @param inputName name of the input for messages
 * @param format of the input
 * @param times that the rows are given
 * @param output form of the SSTable
 * @param maxMemoryBytes memory for the rows that are sorted at a time
 * @param maxLineBytes greatest length of a row in the input
 * @param skipBadRows number of rows that may be skipped because they are wrong before the load
 *     fails
 */
record LoadPlan(
    TableSchema table,
    String inputName,
    InputFormat format,
    CellTimes times,
    Output output,
    long maxMemoryBytes,
    int maxLineBytes,
    long skipBadRows) {

  /** Default for the greatest length of a row in the input. */
  static final int DEFAULT_MAX_LINE_BYTES = 64 << 20;

  /**
   * The form of the SSTable that is written.
   *
   * @param verification how thoroughly the SSTable is verified before it becomes visible
   */
  record Output(FormatVersion version, Partitioner partitioner, OutputVerification verification) {}
}
