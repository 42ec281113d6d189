/**
 * SSTables on disk: the writer, the reader and the verifier, over the packages below, each of which
 * knows one component.
 *
 * <p>Internal to the engine and its sibling modules.
 */
@NullMarked
package io.siltstone.sstable;

import org.jspecify.annotations.NullMarked;
