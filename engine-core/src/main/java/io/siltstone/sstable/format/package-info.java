/**
 * The names of an SSTable's files and the properties of each format version: the values that the
 * packages around it share. Immutable, safe for use by all threads.
 */
@NullMarked
package io.siltstone.sstable.format;

import org.jspecify.annotations.NullMarked;
