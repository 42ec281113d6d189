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
  /** Its name, e.g. {@code RocksDB}. */
  String name();

  /** Name and version of its library. */
  String version();

  /**
   * How it was set up, and what is not as with the others: sentences for the report.
   *
   * @param options as the others get them
   */
  String setting(PeerOptions options);

  /** Options that its JVM needs. */
  default List<String> jvmOptions() {
    return List.of();
  }

  /** Why it cannot run in this JVM, or empty if it can. */
  default Optional<String> unavailable() {
    return Optional.empty();
  }

  /**
   * Opens an empty store. Once it is closed another may be opened, in another directory.
   *
   * @param directory that exists and is empty
   */
  PeerStore open(Path directory, PeerOptions options) throws IOException;
}
