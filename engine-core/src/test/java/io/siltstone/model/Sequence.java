package io.siltstone.model;

import io.siltstone.partitioner.Partitioner;
import java.time.Instant;
import java.util.List;

/**
 * A history to be run.
 *
 * @param seed that it was drawn from
 * @param start of the clock
 */
public record Sequence(
    long seed,
    Partitioner partitioner,
    Instant start,
    List<TableDefinition> tables,
    List<Operation> operations) {

  Sequence with(List<Operation> other) {
    return new Sequence(seed, partitioner, start, tables, List.copyOf(other));
  }
}
