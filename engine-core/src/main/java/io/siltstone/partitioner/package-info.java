/**
 * Partitioners: how a partition key becomes a token, and tokens an order.
 *
 * <p>Immutable, safe for all threads. Uses nothing of the engine.
 */
@NullMarked
package io.siltstone.partitioner;

import org.jspecify.annotations.NullMarked;
