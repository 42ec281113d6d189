package io.siltstone.bench.state;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key-value store of bytes, as a processor of an application sees it. Confined to one thread. */
public interface MeasuredStore extends AutoCloseable {
  /** Puts an entry. */
  void put(byte[] key, byte[] value);

  /** Returns the value of a key, or null if there is none. */
  byte @Nullable [] get(byte[] key);

  /**
   * Reads the entries of a range in order.
   *
   * @param from the first key, or null for the first of all
   * @param to the last key, or null for the last of all
   * @return the number of entries
   */
  long scan(byte @Nullable [] from, byte @Nullable [] to);

  /**
   * Restores a batch of records of a changelog.
   *
   * @param keys of the records
   * @param values as many
   */
  void restore(List<byte[]> keys, List<byte[]> values);

  /**
   * Commits what was put or restored.
   *
   * @param offset up to which the changelog is contained
   */
  void commit(long offset);

  /** Closes the store; what was committed is on the disk then. */
  @Override
  void close() throws IOException;
}
