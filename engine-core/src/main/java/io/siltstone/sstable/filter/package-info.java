/** {@code Filter.db}: the bloom filter over partition keys. */
@NullMarked
package io.siltstone.sstable.filter;

import org.jspecify.annotations.NullMarked;
