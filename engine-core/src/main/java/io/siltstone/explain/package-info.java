/**
 * The results of explaining a read or a key: {@link io.siltstone.explain.ReadTrace} records which
 * memtables and SSTables a read used and which it skipped, and {@link io.siltstone.explain.Finding}
 * says whether one deletion, liveness or cell of a key is shown, shadowed or purgeable.
 *
 * <p>May use {@code sstable} and {@code chunk} for what the engine records. Values are immutable; a
 * trace is confined to the thread of its read.
 */
@NullMarked
package io.siltstone.explain;

import org.jspecify.annotations.NullMarked;
