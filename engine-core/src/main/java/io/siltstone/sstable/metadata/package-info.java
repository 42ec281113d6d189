/**
 * {@code Statistics.db}: validation, compaction and stats metadata, and the serialization header.
 */
@NullMarked
package io.siltstone.sstable.metadata;

import org.jspecify.annotations.NullMarked;
