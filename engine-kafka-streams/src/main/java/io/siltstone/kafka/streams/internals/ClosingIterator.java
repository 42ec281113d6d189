package io.siltstone.kafka.streams.internals;

import org.apache.kafka.streams.state.internals.ManagedKeyValueIterator;

/**
 * An iterator over entries that says when it is closed.
 *
 * <p>Uses {@code ManagedKeyValueIterator}: where an operator of the DSL has a store of plain
 * values, Kafka 4.4 wraps it, and takes the iterator that a {@code RangeQuery} returns for one of
 * these. Kafka 4.3 takes it for RocksDB's own, so that such a query of such a store fails there.
 */
public interface ClosingIterator<K, V> extends ManagedKeyValueIterator<K, V> {}
