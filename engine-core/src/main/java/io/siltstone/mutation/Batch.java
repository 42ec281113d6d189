package io.siltstone.mutation;

import java.util.ArrayList;
import java.util.List;

/**
 * Mutations of any partitions and tables of one database that are written together: after a crash
 * all of them are there or none. Readers may see those of some partitions before those of others.
 *
 * <p>Immutable, safe for all threads.
 *
 * @param mutations at least one, in any order; several may be of the same partition
 */
public record Batch(List<Mutation> mutations) {

  /** Copies the list. */
  public Batch {
    mutations = List.copyOf(mutations);
    if (mutations.isEmpty()) {
      throw new IllegalArgumentException("a batch without mutations, allowed is at least one");
    }
  }

  /** Of these mutations. */
  public static Batch of(Mutation... mutations) {
    return new Batch(List.of(mutations));
  }

  /**
   * The same changes, all with one timestamp, in microseconds since 1970.
   *
   * @throws IllegalArgumentException if one of the mutations was given a timestamp of its own
   */
  public Batch withTimestamp(long timestampMicros) {
    List<Mutation> stamped = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      stamped.add(mutation.withTimestamp(timestampMicros));
    }
    return new Batch(stamped);
  }

  /** Bytes of the serialized mutations together. */
  public long serializedSize() {
    return mutations.stream().mapToLong(Mutation::serializedSize).sum();
  }
}
