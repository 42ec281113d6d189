/**
 * Prints the content of {@code Statistics.db} ({@code siltstone metadata}) in the text of
 * Cassandra's {@code sstablemetadata}. The entry class is {@link
 * io.siltstone.tools.metadata.MetadataCommand}. Confined to one thread.
 */
@NullMarked
package io.siltstone.tools.metadata;

import org.jspecify.annotations.NullMarked;
