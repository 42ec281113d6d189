/**
 * {@code siltstone metadata}: what {@code Statistics.db} says, in the text of Cassandra's {@code
 * sstablemetadata}. Entry class {@link io.siltstone.tools.metadata.MetadataCommand}. Confined to
 * one thread.
 */
@NullMarked
package io.siltstone.tools.metadata;

import org.jspecify.annotations.NullMarked;
