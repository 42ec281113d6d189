/**
 * What point reads remember: decompressed chunks off-heap ({@link io.siltstone.cache.ChunkCache}),
 * and where partitions begin ({@link io.siltstone.cache.KeyCache}).
 *
 * <p>Both are shared by all tables of a database, safe for all threads, and given to each table
 * when it is opened ({@link io.siltstone.cache.ReadCaches}). Scans and compactions neither ask nor
 * fill them: they read through another type of chunk source.
 */
@NullMarked
package io.siltstone.cache;

import org.jspecify.annotations.NullMarked;
