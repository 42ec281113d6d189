package io.siltstone.campaigns.streams;

import io.siltstone.campaigns.run.Campaign;
import io.siltstone.campaigns.run.Counts;
import io.siltstone.campaigns.run.DeviationException;
import io.siltstone.campaigns.run.Directories;
import io.siltstone.kafka.broker.LocalBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Halts processes with two applications of Kafka Streams each while they restore, count and commit,
 * beside a broker in a process of its own that goes on. After some halts a process counts the rest
 * and ends in order; each key must have been counted as often as it was sent, in the key-value
 * store and in the windows of both applications, one of which has transactional state stores.
 */
final class StreamsCampaign implements Campaign {
  private static final int HALTS = 3;
  private static final int PARTITIONS = 2;
  private static final int KEYS = 100;
  private static final int FEWEST_RECORDS = 1_000;
  private static final int MOST_RECORDS = 4_000;
  private static final long PATIENCE_SECONDS = 180;

  private final Path directory;
  private final long seed;
  private final ChildProcess broker;
  private final String servers;
  private final Producer<String, String> producer;
  private @Nullable Life present;
  private long lastRound;

  /** The applications over a topic, and how often each key was sent to it. */
  private record Life(String topic, Path directory, SortedMap<String, Long> sent) {
    Path errors() {
      return directory.resolve("errors.txt");
    }
  }

  private StreamsCampaign(Path directory, long seed, ChildProcess broker, String servers) {
    this.directory = directory;
    this.seed = seed;
    this.broker = broker;
    this.servers = servers;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers), new StringSerializer(), new StringSerializer());
  }

  /** Starts the broker. */
  static StreamsCampaign open(Path directory, long seed) throws IOException {
    Path logs = directory.resolve("broker");
    Directories.delete(logs);
    Files.createDirectories(logs);
    ChildProcess broker =
        ChildProcess.start(
            LocalBroker.class, directory.resolve("broker-errors.txt"), logs.toString());
    String servers = broker.line();
    if (servers == null) {
      broker.close();
      throw new IOException("the broker does not start: " + broker.errors());
    }
    return new StreamsCampaign(directory, seed, broker, servers);
  }

  @Override
  public void round(long round, Counts counts) throws IOException, DeviationException {
    Random random = new Random(new SplittableRandom(seed * 1_000_003 + round).nextLong());
    Life life = present;
    if (life == null || round % HALTS == 0 || round != lastRound + 1) {
      life = begin(round);
    }
    lastRound = round;
    send(life, FEWEST_RECORDS + random.nextInt(MOST_RECORDS - FEWEST_RECORDS), random);
    try {
      halt(life, random, counts);
      if (round % HALTS == HALTS - 1) {
        requireExactCounts(life, counts);
      }
    } catch (IOException | AssertionError e) {
      present = null;
      throw new DeviationException(life.topic() + ": " + e.getMessage(), e, life.directory());
    }
  }

  private Life begin(long round) throws IOException {
    end();
    Life life =
        new Life("life-" + seed + "-" + round, directory.resolve("life-" + round), new TreeMap<>());
    Directories.delete(life.directory());
    Files.createDirectories(life.directory());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.createTopics(List.of(new NewTopic(life.topic(), PARTITIONS, (short) 1))).all().get();
    } catch (ExecutionException e) {
      throw new IOException("topic " + life.topic() + " cannot be created", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    present = life;
    return life;
  }

  private void send(Life life, int records, Random random) throws IOException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      String key = "k" + random.nextInt(KEYS);
      sent.add(producer.send(new ProducerRecord<>(life.topic(), key, "")));
      life.sent().merge(key, 1L, Long::sum);
    }
    producer.flush();
    try {
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("records cannot be sent to " + life.topic(), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Starts a process that halts itself, in one of five cases while it may still restore. */
  private void halt(Life life, Random random, Counts counts) throws IOException {
    boolean isEarly = random.nextInt(5) == 0;
    long records = isEarly ? 0 : 1 + random.nextInt(FEWEST_RECORDS);
    long nanos = isEarly ? random.nextInt(2_000_000_000) : random.nextInt(300_000_000);
    boolean isTransactional = random.nextBoolean();
    int code =
        run(life, counts, Long.toString(records), Long.toString(nanos), isTransactional).code();
    if (code != CountingProcess.HALTED) {
      throw new AssertionError("the process has ended with " + code + ": " + errors(life));
    }
    counts.add("processes halted");
    counts.add("applications halted", 2);
    if (isEarly) {
      counts.add("processes halted early");
    }
  }

  private void requireExactCounts(Life life, Counts counts) throws IOException {
    Ended ended = run(life, counts, CountingProcess.ALL, "0", true);
    if (ended.code() != 0) {
      throw new AssertionError("the process has ended with " + ended.code() + ": " + errors(life));
    }
    for (boolean isTransactional : new boolean[] {true, false}) {
      for (String store : List.of("counts", "windows")) {
        String prefix = CountingApplication.id(life.topic(), isTransactional) + " " + store + " ";
        SortedMap<String, Long> found = new TreeMap<>();
        for (String line : ended.lines()) {
          if (line.startsWith(prefix)) {
            String[] words = line.substring(prefix.length()).split(" ", 2);
            found.put(words[0], Long.parseLong(words[1]));
          }
        }
        if (!found.equals(life.sent())) {
          throw new AssertionError(
              prefix + "has " + found + ", expected what was sent, " + life.sent());
        }
      }
    }
    counts.add("stores with exact counts", 4);
    counts.add("records sent", life.sent().values().stream().mapToLong(Long::longValue).sum());
  }

  /** How a process has ended, and what it has printed. */
  private record Ended(int code, List<String> lines) {}

  private Ended run(Life life, Counts counts, String records, String nanos, boolean isTransactional)
      throws IOException {
    List<String> lines = new ArrayList<>();
    try (ChildProcess process =
        ChildProcess.start(
            CountingProcess.class,
            life.errors(),
            servers,
            life.topic(),
            Integer.toString(PARTITIONS),
            life.directory().resolve("state").toString(),
            records,
            nanos,
            Boolean.toString(isTransactional))) {
      int code = process.waitFor(PATIENCE_SECONDS);
      for (String line = process.line(); line != null; line = process.line()) {
        lines.add(line);
        if (line.startsWith("restored ")) {
          String[] words = line.split(" ", 3);
          String kind = words[1].substring(words[1].lastIndexOf('-') + 1);
          counts.add("records restored, " + kind, Long.parseLong(words[2]));
        }
      }
      return new Ended(code, lines);
    }
  }

  private static String errors(Life life) throws IOException {
    String all = Files.readString(life.errors());
    return all.substring(Math.max(0, all.length() - 2_000));
  }

  private void end() throws IOException {
    Life ended = present;
    present = null;
    if (ended == null) {
      return;
    }
    Directories.delete(ended.directory());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      List<String> topics =
          admin.listTopics().names().get().stream()
              .filter(name -> name.startsWith(ended.topic()))
              .toList();
      admin.deleteTopics(topics).all().get();
    } catch (ExecutionException e) {
      throw new IOException("topics of " + ended.topic() + " cannot be deleted", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IOException("interrupted", e);
  }

  @Override
  public void close() throws IOException {
    try {
      end();
    } finally {
      producer.close();
      broker.close();
      Directories.delete(directory.resolve("broker"));
    }
  }
}
