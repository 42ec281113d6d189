/**
 * The verification of SSTables while they are written: an independent parser of what goes into the
 * files, and the comparison of the files with each other and with what was to be written.
 *
 * <p>Nothing here is used by the code that writes, and nothing of that code is used here: a mistake
 * in how rows are encoded must not be made twice.
 */
@NullMarked
package io.siltstone.sstable.check;

import org.jspecify.annotations.NullMarked;
