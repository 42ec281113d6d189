package io.siltstone.bench.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * An engine that takes part in the comparison. An implementation has a public constructor without
 * parameters and does not load the engine before {@link #open}.
 */
public interface Peer {
  /** Returns the name, e.g. {@code RocksDB}. */
  String name();

  /** Returns name and version of its library. */
  String version();

  /**
   * Returns how it is configured, and how that differs from other engines: sentences for the
   * report.
   *
   * @param options the settings of all engines
   */
  String setting(PeerOptions options);

  /** Returns options that its JVM needs. */
  default List<String> jvmOptions() {
    return List.of();
  }

  /** Returns the reason why it cannot run in this JVM, or empty. */
  default Optional<String> unavailable() {
    return Optional.empty();
  }

  /**
   * Opens an empty store. After it is closed, another may be opened in another directory.
   *
   * @param directory exists and is empty
   */
  PeerStore open(Path directory, PeerOptions options) throws IOException;
}
