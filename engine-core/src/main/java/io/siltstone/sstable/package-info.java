/**
 * SSTables on disk: names, components, the writer and the reader.
 *
 * <p>Internal to the engine and its sibling modules. May use {@code cursor}, {@code chunk}, {@code
 * io}.
 */
@NullMarked
package io.siltstone.sstable;

import org.jspecify.annotations.NullMarked;
