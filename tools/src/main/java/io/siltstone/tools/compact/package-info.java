/**
 * Commands that look after the SSTables of a table, in a directory that Cassandra or an engine
 * wrote or in a database: {@code compact} and its relatives, and {@code explain}.
 *
 * <p>{@code Target} opens what the command line names; {@link
 * io.siltstone.tools.compact.MaintenanceCommand} asks the engine's compaction for the work and
 * prints what it says.
 */
@NullMarked
package io.siltstone.tools.compact;

import org.jspecify.annotations.NullMarked;
