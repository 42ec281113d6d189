package io.siltstone.mutation;

import java.util.ArrayList;
import java.util.List;

/**
 * Mutations of any partitions and tables of one database that are written atomically: after a crash
 * either all of them are there or none. Readers may see some partitions changed before others.
 *
 * <p>Between mutations of the same partition timestamps decide, not their order in the batch: with
 * automatic timestamps the mutation that was begun later wins. Mutations that change the same cell
 * or row differently with equal timestamps contradict each other and are rejected, as within one
 * mutation; see {@link MutationBuilder}.
 *
 * <p>Immutable, safe for use by any number of threads.
 *
 * @param mutations at least one, in any order; there may be several of the same partition
 */
public record Batch(List<Mutation> mutations) {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if it is empty, or if mutations contradict each other
   */
  public Batch {
    mutations = List.copyOf(mutations);
    if (mutations.isEmpty()) {
      throw new IllegalArgumentException("a batch without mutations, allowed at least one");
    }
    BatchCheck.check(mutations);
  }

  /** Returns a batch of these mutations. */
  public static Batch of(Mutation... mutations) {
    return new Batch(List.of(mutations));
  }

  /**
   * Returns the same batch, with all automatic timestamps replaced by this one.
   *
   * @param timestampMicros in microseconds since 1970
   * @throws IllegalArgumentException if one of the mutations has an explicit timestamp, or if
   *     mutations of one partition contradict each other once they have the same timestamp
   */
  public Batch withTimestamp(long timestampMicros) {
    List<Mutation> stamped = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      stamped.add(mutation.withTimestamp(timestampMicros));
    }
    return new Batch(stamped);
  }

  /** Returns the size of all serialized mutations in bytes. */
  public long serializedSize() {
    return mutations.stream().mapToLong(Mutation::serializedSize).sum();
  }
}
