/**
 * {@code Data.db}: partitions of serialized rows and markers, read and written front to back.
 *
 * <p>{@code DataCursor} reads, {@code DataWriter} writes; this package and the index both read
 * through a {@code ByteWindow}.
 */
@NullMarked
package io.siltstone.sstable.data;

import org.jspecify.annotations.NullMarked;
