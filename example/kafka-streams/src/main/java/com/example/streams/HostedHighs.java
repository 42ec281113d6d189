package com.example.streams;

import io.siltstone.kafka.streams.StoreHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Runs the application with a database that it opens itself: elsewhere than in the state directory,
 * with a limit of memory, and with checkpoints.
 */
final class HostedHighs {
  private HostedHighs() {}

  /**
   * Runs until it is to end, and makes a checkpoint of all stores then.
   *
   * @param properties as {@link StationHighs#properties}
   * @param database the directory of the database
   * @param checkpoint the directory of the checkpoint, which does not exist
   * @param end counted down when the application is to end
   */
  static void run(Properties properties, Path database, Path checkpoint, CountDownLatch end)
      throws IOException, InterruptedException {
    try (StoreHost host = StoreHost.builder(database).memoryBytes(128L << 20).open()) {
      properties.put(StoreHost.HOST_CONFIG, host);
      try (KafkaStreams streams = new KafkaStreams(StationHighs.topology(), properties)) {
        streams.start();
        end.await();
        host.database().checkpoint(checkpoint);
      }
    }
  }
}
