/**
 * Compaction of the same SSTables by several engines: the interface of an engine ({@link
 * io.siltstone.bench.compaction.CompactionPeer}), the measurement ({@link
 * io.siltstone.bench.compaction.CompactionPeerMeasurement}), the inputs ({@link
 * io.siltstone.bench.compaction.InputTables}), the check of the outputs ({@link
 * io.siltstone.bench.compaction.RowDigest}), and the adapter of Siltstone. The adapter of Cassandra
 * is in the module bench-peers; a {@link java.util.ServiceLoader} finds it.
 */
@NullMarked
package io.siltstone.bench.compaction;

import org.jspecify.annotations.NullMarked;
