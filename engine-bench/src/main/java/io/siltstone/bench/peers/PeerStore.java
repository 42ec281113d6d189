package io.siltstone.bench.peers;

import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/**
 * An open store of byte arrays, ordered by key or by what the engine orders by. Safe for all
 * threads, but for {@link #close()}, which comes last.
 */
public interface PeerStore extends Closeable {
  /** Puts an entry, in place of the one with the same key; as durable as {@link Peer} says. */
  void put(byte[] key, byte[] value) throws Exception;

  /** The value of a key in an array of its own, or null if there is none. */
  byte @Nullable [] get(byte[] key) throws Exception;

  /**
   * Reads keys and values, in the engine's order.
   *
   * @param from the first key, or null for the beginning
   * @param limit how many at most
   * @return bytes of keys and values, so that nothing can be left out; and how many there were
   */
  Scanned scan(byte @Nullable [] from, long limit) throws Exception;

  /** Sees to it that all that was put is in the engine's own files, beyond a log. */
  void flush() throws Exception;

  /** Brings the files into the best form for reading that the engine has. */
  void compact() throws Exception;

  /**
   * What a scan has read.
   *
   * @param entries how many
   * @param bytes of keys and values
   */
  record Scanned(long entries, long bytes) {}
}
