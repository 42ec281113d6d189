/**
 * The verification of SSTables while they are written: an independent parser of the written files,
 * and the comparison of the files with each other and with the writer's input.
 *
 * <p>This package and the code that writes SSTables share no code: a mistake in the encoding of
 * rows must not be repeated in its verification.
 */
@NullMarked
package io.siltstone.sstable.check;

import org.jspecify.annotations.NullMarked;
