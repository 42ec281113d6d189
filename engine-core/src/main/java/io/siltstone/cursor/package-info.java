/**
 * The one streaming abstraction: cursors over partitions and unfiltereds (rows and range-tombstone
 * markers) in serialized form.
 *
 * <p>A cursor is a reusable flyweight over bytes; advancing it allocates nothing. Memtables,
 * SSTables, merges and the writer all use it. Cursors are confined to one thread. Start with {@link
 * io.siltstone.cursor.PartitionCursor} and {@link io.siltstone.cursor.MergeCursor}; the tie-break
 * of equal timestamps is in {@link io.siltstone.cursor.ConflictRules}.
 */
@NullMarked
package io.siltstone.cursor;

import org.jspecify.annotations.NullMarked;
