/**
 * Prints the content of an SSTable ({@code siltstone dump}) in exactly the text of Cassandra's
 * {@code sstabledump}. The entry class is {@link io.siltstone.tools.dump.DumpCommand}. Confined to
 * one thread; memory does not grow with a partition.
 */
@NullMarked
package io.siltstone.tools.dump;

import org.jspecify.annotations.NullMarked;
