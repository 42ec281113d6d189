/**
 * Bulk loading: sorts changes of a table that come in any order, in bounded memory with sorted runs
 * on disk ({@link io.siltstone.bulk.UpdateSorter}), and writes them to SSTables of a claim ({@link
 * io.siltstone.bulk.BulkOutput}).
 *
 * <p>Runs are merged by {@code cursor.MergeCursor}, as SSTables are. The class for users is {@code
 * io.siltstone.BulkWriter}. Not exported to users.
 */
@NullMarked
package io.siltstone.bulk;

import org.jspecify.annotations.NullMarked;
