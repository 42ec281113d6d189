/**
 * The key-value store: a table of one key and one value column as an ordered map of byte arrays.
 *
 * <p>{@link io.siltstone.keyvalue.KeyValueTable} is the entry class. It writes through {@code
 * table.MutationWriter}, which encodes puts and deletions, and reads through {@code table.read}.
 * {@link io.siltstone.keyvalue.StagedBatch} is a batch of changes of several tables that is read
 * before it is written. Only the root package uses this one.
 *
 * <p>Tables are safe for all threads; snapshots and cursors are confined to one thread at a time.
 *
 * <p>Not exported.
 */
@NullMarked
package io.siltstone.keyvalue;

import org.jspecify.annotations.NullMarked;
