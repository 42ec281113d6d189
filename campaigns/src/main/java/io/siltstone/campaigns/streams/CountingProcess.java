package io.siltstone.campaigns.streams;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The process of a round: a {@link CountingApplication} with transactional state stores and one
 * without. It halts itself, or runs until both have counted everything, closes them, and exits with
 * 0 after it has printed all counts.
 *
 * <pre>
 *   CountingProcess SERVERS TOPIC PARTITIONS DIRECTORY RECORDS NANOS TRANSACTIONAL
 * </pre>
 *
 * It halts that many nanoseconds after one of the applications, the one with transactional state
 * stores or the other, has begun to process that many records. It counts everything if there is no
 * number of records, but {@code all}. Lines of the output are {@code restored APPLICATION NUMBER}
 * and {@code APPLICATION STORE KEY COUNT}.
 */
final class CountingProcess {
  /** The exit code of a process that has halted itself. */
  static final int HALTED = 9;

  /** The exit code if an application has failed. */
  static final int FAILED = 10;

  /** Stands for the number of records if the process is not to halt. */
  static final String ALL = "all";

  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private CountingProcess() {}

  /** Runs the process; see the class. */
  public static void main(String[] arguments) throws Exception {
    String servers = arguments[0];
    String topic = arguments[1];
    Path directory = Path.of(arguments[3]);
    Map<Boolean, AtomicLong> seen = Map.of(true, new AtomicLong(), false, new AtomicLong());
    Map<String, CountingApplication> applications = new HashMap<>();
    for (boolean isTransactional : new boolean[] {true, false}) {
      applications.put(
          CountingApplication.id(topic, isTransactional),
          new CountingApplication(
              servers, topic, isTransactional, directory, of(seen, isTransactional)));
    }
    applications.values().forEach(CountingApplication::start);
    if (arguments[4].equals(ALL)) {
      countAll(servers, topic, Integer.parseInt(arguments[2]), applications);
    } else {
      halt(
          of(seen, Boolean.parseBoolean(arguments[6])),
          Long.parseLong(arguments[4]),
          Long.parseLong(arguments[5]),
          applications);
    }
  }

  private static AtomicLong of(Map<Boolean, AtomicLong> seen, boolean isTransactional) {
    return requireNonNull(seen.get(isTransactional));
  }

  private static void halt(
      AtomicLong seen, long records, long nanos, Map<String, CountingApplication> applications) {
    while (seen.get() < records) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    long end = System.nanoTime() + nanos;
    printRestored(applications);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(Math.min(POLL_NANOS, end - System.nanoTime()));
    }
    Runtime.getRuntime().halt(HALTED);
  }

  private static void countAll(
      String servers, String topic, int partitions, Map<String, CountingApplication> applications)
      throws IOException, ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
      for (int i = 0; i < partitions; i++) {
        latest.put(new TopicPartition(topic, i), OffsetSpec.latest());
      }
      var ends = admin.listOffsets(latest).all().get();
      for (Map.Entry<String, CountingApplication> application : applications.entrySet()) {
        boolean isAtEnd = false;
        while (!isAtEnd) {
          Map<TopicPartition, OffsetAndMetadata> committed =
              admin
                  .listConsumerGroupOffsets(application.getKey())
                  .partitionsToOffsetAndMetadata()
                  .get();
          isAtEnd =
              application.getValue().isRunning()
                  && ends.entrySet().stream()
                      .allMatch(
                          end -> {
                            OffsetAndMetadata offset = committed.get(end.getKey());
                            return (offset == null ? 0 : offset.offset())
                                == end.getValue().offset();
                          });
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
      }
    }
    printRestored(applications);
    applications.forEach(
        (id, application) -> {
          List.of(
                  Map.entry("counts", application.counts()),
                  Map.entry("windows", application.sumsOfWindows()))
              .forEach(
                  store ->
                      store
                          .getValue()
                          .forEach(
                              (key, count) ->
                                  print(id + " " + store.getKey() + " " + key + " " + count)));
          application.close();
        });
    System.exit(0);
  }

  private static void printRestored(Map<String, CountingApplication> applications) {
    applications.forEach(
        (id, application) -> print("restored " + id + " " + application.restored()));
  }

  @SuppressWarnings("SystemOut") // What the campaign reads.
  private static void print(String line) {
    System.out.println(line);
  }
}
