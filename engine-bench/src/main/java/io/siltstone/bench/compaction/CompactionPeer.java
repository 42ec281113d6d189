package io.siltstone.bench.compaction;

import io.siltstone.bench.child.Values;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * An engine that compacts SSTables of Cassandra's format. An implementation has a public
 * constructor without parameters and does not load the engine before {@link #start}, after which
 * the other methods are called, all by one thread; who starts it closes it.
 */
public interface CompactionPeer extends Closeable {
  /** Its name, e.g. {@code Cassandra}. */
  String name();

  /** Options that its JVM needs. */
  default List<String> jvmOptions() {
    return List.of();
  }

  /** Why it cannot run in this JVM, or empty if it can. */
  default Optional<String> unavailable() {
    return Optional.empty();
  }

  /**
   * Starts the engine with one table, of which it compacts nothing by itself.
   *
   * @param directory that exists and is empty, for all that it stores
   * @param cql {@code CREATE TABLE} with the keyspace's name and options
   * @param parameters of its own
   */
  void start(Path directory, String cql, Values parameters) throws Exception;

  /** Name and version as the engine tells it, with what of its settings matters. */
  String version();

  /**
   * Makes SSTables those of the table, instead of all that it had.
   *
   * @param files all components, to which it makes links
   */
  void load(List<Path> files) throws Exception;

  /** Merges all SSTables of the table; returns when what is made of them is synced and live. */
  void compact() throws Exception;

  /** The files of the SSTables that are live, all components. */
  List<Path> liveFiles() throws Exception;
}
