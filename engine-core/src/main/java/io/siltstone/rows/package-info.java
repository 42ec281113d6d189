/**
 * What a read asks for and what it gives: queries, live rows, places to go on from.
 *
 * <p>A {@link io.siltstone.rows.Query} says which partitions, rows and columns; {@link
 * io.siltstone.rows.LiveRows} makes {@link io.siltstone.rows.Row}s of the merged cursors that the
 * table opens for it, and a {@link io.siltstone.rows.PagingState} of the place it has come to.
 * Those who want no objects read the cursors themselves. Rules are those of CQL's {@code SELECT}.
 *
 * <p>Queries, rows and tokens are immutable and safe for all threads. Uses {@code cursor}, {@code
 * schema}, {@code type}, {@code bytes}, {@code partitioner}.
 */
@NullMarked
package io.siltstone.rows;

import org.jspecify.annotations.NullMarked;
