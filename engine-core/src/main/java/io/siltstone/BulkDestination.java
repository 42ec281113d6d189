package io.siltstone;

import io.siltstone.clock.WriteClock;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.partitioner.Partitioner;
import org.jspecify.annotations.Nullable;

/**
 * The destination of a bulk writer: the table or directory, and what makes its mutations.
 *
 * @param name of the table or directory, for messages
 * @param engine of the table's database; null for a directory
 * @param mutations makes and adapts the mutations
 * @param partitioner orders the partitions
 * @param clock gives entries, and mutations that are loaded behind, their timestamps
 * @param isBehind whether mutations get timestamps less than those of the table
 */
record BulkDestination(
    String name,
    @Nullable Engine engine,
    MutationFactory mutations,
    Partitioner partitioner,
    WriteClock clock,
    boolean isBehind) {}
