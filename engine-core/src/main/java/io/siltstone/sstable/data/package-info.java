/**
 * {@code Data.db}: partitions of serialized rows and markers, read and written front to back.
 *
 * <p>{@code DataCursor} reads, {@code DataWriter} writes; {@code ByteWindow} is what both this
 * package and the index read through.
 */
@NullMarked
package io.siltstone.sstable.data;

import org.jspecify.annotations.NullMarked;
