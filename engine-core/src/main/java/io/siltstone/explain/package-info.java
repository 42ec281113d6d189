/**
 * What users learn of a read or of one key: {@link io.siltstone.explain.ReadTrace} records what a
 * read did with each memtable and SSTable, and {@link io.siltstone.explain.Finding} says what
 * became of one deletion, liveness or cell of a key.
 *
 * <p>May use {@code sstable} and {@code chunk} for what the engine records. Values are immutable; a
 * trace is confined to the thread of its read.
 */
@NullMarked
package io.siltstone.explain;

import org.jspecify.annotations.NullMarked;
