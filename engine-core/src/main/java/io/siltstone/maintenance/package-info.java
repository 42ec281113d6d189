/**
 * What users ask of a table as a whole, compaction, verification and rebuilding, and the reports
 * that they receive.
 *
 * <p>May use {@code event}, {@code partitioner} and {@code sstable.format}. Entry classes: {@link
 * io.siltstone.maintenance.CompactionRequest} and {@link
 * io.siltstone.maintenance.CompactionReport}. All types are immutable values.
 */
@NullMarked
package io.siltstone.maintenance;

import org.jspecify.annotations.NullMarked;
