/**
 * Partitioners, which compute the tokens of partition keys, and the order of partitions.
 *
 * <p>Immutable, safe for all threads. Uses nothing of the engine.
 */
@NullMarked
package io.siltstone.partitioner;

import org.jspecify.annotations.NullMarked;
