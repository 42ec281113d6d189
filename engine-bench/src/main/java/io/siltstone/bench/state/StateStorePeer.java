package io.siltstone.bench.state;

import java.io.IOException;
import java.nio.file.Path;

/**
 * An engine below the state stores of Kafka Streams. An implementation has a public constructor
 * without parameters and does not load the engine before {@link #open}.
 */
public interface StateStorePeer {
  /** The name of this engine. */
  String OWN = "Siltstone";

  /** The name of the engine of Kafka's own stores. */
  String KAFKA = "RocksDB";

  /** Returns the name: {@link #OWN} or {@link #KAFKA}. */
  String name();

  /** Returns the versions of the libraries. */
  String version();

  /** Returns how it is configured: a phrase for the report. */
  String setting();

  /**
   * Begins an instance of an application without stores. Several may follow each other in the same
   * process.
   *
   * @param directory of its state; what is in it is used
   */
  StateStores open(Path directory) throws IOException;
}
