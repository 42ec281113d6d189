/**
 * The one streaming abstraction: cursors over partitions and unfiltereds (rows and range-tombstone
 * markers) in serialized form.
 *
 * <p>A cursor is a reusable flyweight over bytes; advancing it allocates nothing. Memtables,
 * SSTables, merges and the writer all speak it. Confined to one thread.
 */
@NullMarked
package io.siltstone.cursor;

import org.jspecify.annotations.NullMarked;
