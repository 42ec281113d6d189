/**
 * The live set: which SSTables of a table's directory are live, and how that changes, atomically
 * and durably, without blocking reads.
 *
 * <p>{@link io.siltstone.liveset.LiveSet} is the entry class. Readers acquire a {@code View}; a
 * flush, a compaction, an import or a truncation is a {@code Transaction}, recorded on disk by a
 * {@code TransactionLog} in Cassandra's form, which {@code Recovery} reads when a directory is
 * opened. {@code Truncation} removes all SSTables; {@code FlushedPositionStore} keeps up to where
 * commit logs were flushed.
 *
 * <p>It uses SSTables and the port {@code spi}; it knows neither memtables nor the commit log. Safe
 * for all threads; a transaction belongs to its opener. Not exported.
 */
@NullMarked
package io.siltstone.liveset;

import org.jspecify.annotations.NullMarked;
