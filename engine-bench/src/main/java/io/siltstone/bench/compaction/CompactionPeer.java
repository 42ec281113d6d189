package io.siltstone.bench.compaction;

import io.siltstone.bench.child.NamedValues;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * An engine that compacts SSTables of Cassandra's format. An implementation has a public
 * constructor without parameters and does not load the engine before {@link #start}; the other
 * methods are called afterwards, all by one thread. Closed by whoever started it.
 */
public interface CompactionPeer extends Closeable {
  /** Returns the name, e.g. {@code Cassandra}. */
  String name();

  /** Returns options that its JVM needs. */
  default List<String> jvmOptions() {
    return List.of();
  }

  /** Returns the reason why it cannot run in this JVM, or empty. */
  default Optional<String> unavailable() {
    return Optional.empty();
  }

  /**
   * Starts the engine with one table, without automatic compaction.
   *
   * @param directory for its files; exists and is empty
   * @param cql {@code CREATE TABLE} with the keyspace's name and options
   * @param parameters for this engine
   */
  void start(Path directory, String cql, NamedValues parameters) throws Exception;

  /** Returns the engine's name and version, with relevant settings. */
  String version();

  /**
   * Replaces the SSTables of the table.
   *
   * @param files all components, to which links are made
   */
  void load(List<Path> files) throws Exception;

  /** Merges all SSTables of the table; returns when the outputs are synced and live. */
  void compact() throws Exception;

  /** Returns the files of all live SSTables, with all components. */
  List<Path> liveFiles() throws Exception;
}
