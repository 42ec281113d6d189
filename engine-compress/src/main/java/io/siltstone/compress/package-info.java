/**
 * Compressors under Cassandra's class names, and their options.
 *
 * <p>{@link io.siltstone.compress.Compressor} works on one chunk at a time; {@code
 * CompressionOptions} reads and checks the {@code compression} map of a table.
 */
@NullMarked
package io.siltstone.compress;

import org.jspecify.annotations.NullMarked;
