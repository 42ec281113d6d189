/**
 * Compaction of the same SSTables by engines side by side: what each must offer ({@link
 * io.siltstone.bench.compaction.CompactionPeer}), how each is timed ({@link
 * io.siltstone.bench.compaction.CompactionPeerMeasurement}), what it is given ({@link
 * io.siltstone.bench.compaction.InputTables}), what it must have made of that ({@link
 * io.siltstone.bench.compaction.RowDigest}), and Siltstone's own part. That of Cassandra is in the
 * module bench-peers; a {@link java.util.ServiceLoader} finds it.
 */
@NullMarked
package io.siltstone.bench.compaction;

import org.jspecify.annotations.NullMarked;
