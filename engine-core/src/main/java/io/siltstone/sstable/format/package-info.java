/**
 * What an SSTable's files are called and what each format version has: the vocabulary that the
 * packages around it share. Immutable, safe for all threads.
 */
@NullMarked
package io.siltstone.sstable.format;

import org.jspecify.annotations.NullMarked;
