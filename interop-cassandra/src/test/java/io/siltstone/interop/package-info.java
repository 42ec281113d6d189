/**
 * Apache Cassandra in this JVM, as the judge of our files: {@link
 * io.siltstone.interop.CassandraNode} starts it, {@link io.siltstone.interop.CassandraTable} writes
 * SSTables with it, and {@link io.siltstone.interop.CassandraJudge} reads, verifies, dumps and
 * compacts SSTables that anyone wrote.
 *
 * <p>Cassandra keeps its state in static fields: one node, one partitioner and one format per JVM,
 * hence one Surefire execution for each. Everything here is used from one thread.
 */
@NullMarked
package io.siltstone.interop;

import org.jspecify.annotations.NullMarked;
