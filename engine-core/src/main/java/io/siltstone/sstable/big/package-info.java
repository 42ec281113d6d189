/** The BIG index: {@code Index.db} with its promoted index, and {@code Summary.db}. */
@NullMarked
package io.siltstone.sstable.big;

import org.jspecify.annotations.NullMarked;
