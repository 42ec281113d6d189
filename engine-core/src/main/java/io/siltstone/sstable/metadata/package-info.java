/**
 * {@code Statistics.db}: validation, compaction and stats metadata, and the serialization header.
 *
 * <p>{@link io.siltstone.sstable.metadata.Statistics} reads and writes the file, {@link
 * io.siltstone.sstable.metadata.StatisticsCollector} gathers its content while rows are written.
 * What is read is immutable; a collector is confined to one thread.
 */
@NullMarked
package io.siltstone.sstable.metadata;

import org.jspecify.annotations.NullMarked;
