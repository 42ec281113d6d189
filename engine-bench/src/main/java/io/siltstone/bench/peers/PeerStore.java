package io.siltstone.bench.peers;

import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/**
 * An open store of byte arrays, ordered by key or in the engine's own order. Safe for use by all
 * threads, except {@link #close()}, which comes last.
 */
public interface PeerStore extends Closeable {
  /** Puts an entry, replacing one with the same key; as durable as {@link Peer} says. */
  void put(byte[] key, byte[] value) throws Exception;

  /** Returns the value of a key in a new array, or null if there is none. */
  byte @Nullable [] get(byte[] key) throws Exception;

  /**
   * Reads keys and values in the engine's order.
   *
   * @param from the first key, or null for the beginning
   * @param limit greatest number of entries
   * @return the number of entries, and the bytes of keys and values, so that no read can be
   *     optimized away
   */
  Scanned scan(byte @Nullable [] from, long limit) throws Exception;

  /** Moves all entries into the engine's own files, beyond a log. */
  void flush() throws Exception;

  /** Brings the files into the engine's best form for reading. */
  void compact() throws Exception;

  /**
   * The result of a scan.
   *
   * @param entries number of entries
   * @param bytes of keys and values
   */
  record Scanned(long entries, long bytes) {}
}
