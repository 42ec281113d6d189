/**
 * The caches for point reads: decompressed chunks off-heap ({@link io.siltstone.cache.ChunkCache}),
 * and positions of partitions ({@link io.siltstone.cache.KeyCache}). Cache admission is in {@code
 * AdmissionFilter}.
 *
 * <p>Both caches are shared by all tables of a database, safe for use by all threads, and passed to
 * each table when it is opened ({@link io.siltstone.cache.ReadCaches}). Scans and compactions
 * neither read nor fill them; they use another type of chunk source.
 */
@NullMarked
package io.siltstone.cache;

import org.jspecify.annotations.NullMarked;
