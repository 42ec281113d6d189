/**
 * Commands that rewrite the SSTables of a table, in a directory that Cassandra or Siltstone wrote
 * or in a database ({@code compact}, {@code scrub} and so on), and {@code explain}.
 *
 * <p>{@code CompactionTarget} opens the table that the command line names. {@code
 * MaintenanceCommand} requests the operation from the engine's compaction, and prints its report.
 */
@NullMarked
package io.siltstone.tools.compact;

import org.jspecify.annotations.NullMarked;
