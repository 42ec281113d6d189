package io.siltstone.kafka.streams.host;

import java.nio.file.Path;

/**
 * The identity of a store of an application, which has a table for each of its partitions.
 *
 * @param name the name of the store
 * @param task the task, which is the partition, as in {@code 0_1}; {@code global} for a global
 *     store
 * @param format what the entries are, as in {@code timestamped}; a table of another format is not
 *     used, so that Kafka restores the store
 * @param taskDirectory the directory of the task, which Kafka deletes with the store
 */
public record StoreName(String name, String task, String format, Path taskDirectory) {
  @Override
  public String toString() {
    return "store " + name + " of task " + task;
  }
}
