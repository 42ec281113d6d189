/**
 * {@code siltstone dump}: the content of an SSTable, in the very text of Cassandra's {@code
 * sstabledump}. Entry class {@link io.siltstone.tools.dump.DumpCommand}. Confined to one thread;
 * nothing grows with a partition.
 */
@NullMarked
package io.siltstone.tools.dump;

import org.jspecify.annotations.NullMarked;
