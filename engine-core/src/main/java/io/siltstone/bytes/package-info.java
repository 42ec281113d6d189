/**
 * Numbers in byte arrays, as Cassandra's files write them, big-endian and variable-length, and as
 * its hashes read them, little-endian.
 *
 * <p>Static functions only, nothing allocated. Uses nothing of the engine.
 */
@NullMarked
package io.siltstone.bytes;

import org.jspecify.annotations.NullMarked;
