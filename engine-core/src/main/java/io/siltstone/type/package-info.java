/**
 * CQL types: encode, decode, compare as bytes, format and parse as CQL and Cassandra's tools do.
 *
 * <p>{@link io.siltstone.type.CqlType} is the entry. Everything here is immutable and safe for all
 * threads. Uses nothing of the engine.
 */
@NullMarked
package io.siltstone.type;

import org.jspecify.annotations.NullMarked;
