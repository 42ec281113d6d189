/**
 * Apache Cassandra in this JVM as the judge of this engine's files: {@link
 * io.siltstone.interop.CassandraNode} starts it, {@link io.siltstone.interop.CassandraTable} writes
 * SSTables with it, and {@link io.siltstone.interop.CassandraJudge} reads, verifies, dumps and
 * compacts SSTables from anywhere.
 *
 * <p>Cassandra keeps its state in static fields: there is one node, one partitioner and one format
 * per JVM, hence one Surefire execution for each. Everything here is confined to one thread.
 */
@NullMarked
package io.siltstone.interop;

import org.jspecify.annotations.NullMarked;
