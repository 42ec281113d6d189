package io.siltstone.kafka.judges;

import java.time.Duration;
import java.util.Random;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.kstream.Aggregator;
import org.apache.kafka.streams.kstream.CogroupedKStream;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.kstream.GlobalKTable;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.JoinWindows;
import org.apache.kafka.streams.kstream.Joined;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.SlidingWindows;
import org.apache.kafka.streams.kstream.StreamJoined;
import org.apache.kafka.streams.kstream.Suppressed;
import org.apache.kafka.streams.kstream.Suppressed.BufferConfig;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.UnlimitedWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * The stateful operators of the DSL and of the Processor API, each as it is added to a random
 * topology. What an operator draws, it draws from the random numbers that it is given, so that a
 * seed repeats the topology.
 */
enum Operator {
  COUNT {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(name, sources.stream(random).groupByKey().count(Materialized.as(name)));
    }
  },
  REDUCE {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          sources.stream(random)
              .groupBy((key, value) -> value, Grouped.as(name + "-by-value"))
              .reduce(Operator::join, Materialized.as(name)));
    }
  },
  AGGREGATE {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          sources.stream(random)
              .groupByKey()
              .aggregate(
                  () -> "",
                  // Null deletes the entry.
                  (key, value, sum) -> sum.length() > 12 ? null : sum + value,
                  Materialized.as(name)));
    }
  },
  TABLE_AGGREGATE {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          sources
              .table(random)
              .groupBy((key, value) -> KeyValue.pair(value, key), Grouped.as(name + "-by-value"))
              .aggregate(
                  () -> "",
                  (key, value, sum) -> sum + "+" + value,
                  (key, value, sum) -> sum + "-" + value,
                  Materialized.as(name)));
    }
  },
  TABLE_REDUCE {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          sources
              .table(random)
              .groupBy((key, value) -> KeyValue.pair(value, key), Grouped.as(name + "-by-value"))
              .reduce(Operator::join, (all, value) -> all.replace(value, "-"), storeOf(name)));
    }
  },
  TABLE_STAGES {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          sources
              .anyTable(random)
              .filter((key, value) -> !value.endsWith("1"), Materialized.as(name + "-filtered"))
              .mapValues((key, value) -> key + value, Materialized.as(name)));
    }
  },
  TO_TABLE {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(name, sources.stream(random).toTable(Materialized.as(name)));
    }
  },
  COGROUP {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(name, cogroup(sources, random).aggregate(() -> "", Materialized.as(name)));
    }
  },
  WINDOWED_COGROUP {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          cogroup(sources, random)
              .windowedBy(timeWindows(random))
              .aggregate(() -> "", Materialized.as(name)));
    }
  },
  SLIDING_COGROUP {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          cogroup(sources, random)
              .windowedBy(
                  SlidingWindows.ofTimeDifferenceAndGrace(seconds(random, 20), seconds(random, 30)))
              .aggregate(() -> "", Materialized.as(name)));
    }
  },
  SESSION_COGROUP {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          cogroup(sources, random)
              .windowedBy(
                  SessionWindows.ofInactivityGapAndGrace(seconds(random, 10), seconds(random, 30)))
              .aggregate(() -> "", (key, one, other) -> join(one, other), Materialized.as(name)));
    }
  },
  UNLIMITED_WINDOWS {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          sources.stream(random)
              .groupByKey()
              .windowedBy(UnlimitedWindows.of())
              .reduce(Operator::join, Materialized.as(name)));
    }
  },
  WINDOWS {
    @Override
    void add(String name, Sources sources, Random random) {
      KStream<String, String> stream = sources.stream(random);
      TimeWindows windows = timeWindows(random);
      EmitStrategy strategy = emitStrategy(random);
      boolean isOnClose = strategy.type() == EmitStrategy.StrategyType.ON_WINDOW_CLOSE;
      sources.out(
          isOnClose ? name + Transcript.CLOSED_WINDOWS : name,
          stream
              .groupByKey()
              .windowedBy(windows)
              .emitStrategy(strategy)
              .count(Materialized.as(name)));
    }
  },
  SLIDING_WINDOWS {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          sources.stream(random)
              .groupByKey()
              .windowedBy(
                  SlidingWindows.ofTimeDifferenceAndGrace(seconds(random, 20), seconds(random, 30)))
              .emitStrategy(emitStrategy(random))
              .aggregate(() -> "", (key, value, sum) -> sum + value, Materialized.as(name)));
    }
  },
  SESSIONS {
    @Override
    void add(String name, Sources sources, Random random) {
      sources.out(
          name,
          sources.stream(random)
              .groupByKey()
              .windowedBy(
                  SessionWindows.ofInactivityGapAndGrace(seconds(random, 10), seconds(random, 30)))
              .emitStrategy(emitStrategy(random))
              .aggregate(
                  () -> "",
                  (key, value, sum) -> sum + value,
                  (key, one, other) -> one + other,
                  Materialized.as(name)));
    }
  },
  SUPPRESSION {
    @Override
    void add(String name, Sources sources, Random random) {
      Suppressed<Windowed<?>> untilClose = Suppressed.untilWindowCloses(BufferConfig.unbounded());
      KTable<Windowed<String>, Long> counts =
          sources.stream(random)
              // The key serde of the buffer is made of this one.
              .groupByKey(Grouped.with(sources.serde(), sources.serde()))
              .windowedBy(timeWindows(random))
              .count(Materialized.as(name));
      sources.out(
          name,
          random.nextBoolean()
              ? counts.suppress(
                  Suppressed.untilTimeLimit(seconds(random, 20), BufferConfig.maxRecords(20)))
              : counts.suppress(untilClose));
    }
  },
  STREAM_JOIN {
    @Override
    void add(String name, Sources sources, Random random) {
      KStream<String, String> left = sources.stream(random);
      KStream<String, String> right = sources.otherStream(left);
      JoinWindows windows =
          JoinWindows.ofTimeDifferenceAndGrace(seconds(random, 10), seconds(random, 20));
      StreamJoined<String, String, String> stores =
          StreamJoined.<String, String, String>as(name).withStoreName(name);
      sources.out(
          name,
          switch (random.nextInt(3)) {
            case 0 -> left.join(right, Operator::join, windows, stores);
            case 1 -> left.leftJoin(right, Operator::join, windows, stores);
            default -> left.outerJoin(right, Operator::join, windows, stores);
          });
    }
  },
  SELF_JOIN {
    @Override
    void add(String name, Sources sources, Random random) {
      KStream<String, String> stream = sources.stream(random);
      sources.out(
          name,
          stream.join(
              stream,
              Operator::join,
              JoinWindows.ofTimeDifferenceAndGrace(seconds(random, 10), seconds(random, 20)),
              StreamJoined.<String, String, String>as(name).withStoreName(name)));
    }
  },
  GLOBAL_TABLE_JOIN {
    @Override
    void add(String name, Sources sources, Random random) {
      KStream<String, String> left = sources.stream(random);
      GlobalKTable<String, String> right = sources.globalTable();
      Named named = Named.as(name);
      sources.out(
          name,
          random.nextBoolean()
              ? left.join(right, (key, value) -> value, Operator::join, named)
              : left.leftJoin(right, (key, value) -> value, Operator::join, named));
    }
  },
  TABLE_JOIN {
    @Override
    void add(String name, Sources sources, Random random) {
      KTable<String, String> left = sources.anyTable(random);
      KTable<String, String> right = sources.otherTable(left);
      sources.out(
          name,
          switch (random.nextInt(3)) {
            case 0 -> left.join(right, Operator::join, Materialized.as(name));
            case 1 -> left.leftJoin(right, Operator::join, Materialized.as(name));
            default -> left.outerJoin(right, Operator::join, Materialized.as(name));
          });
    }
  },
  FOREIGN_KEY_JOIN {
    @Override
    void add(String name, Sources sources, Random random) {
      KTable<String, String> left = sources.anyTable(random);
      KTable<String, String> right = sources.otherTable(left);
      sources.out(
          name,
          random.nextBoolean()
              ? left.join(right, value -> value, Operator::join, Materialized.as(name))
              : left.leftJoin(right, value -> value, Operator::join, Materialized.as(name)));
    }
  },
  STREAM_TABLE_JOIN {
    @Override
    void add(String name, Sources sources, Random random) {
      KStream<String, String> left = sources.stream(random);
      KTable<String, String> right = sources.anyTable(random);
      Joined<String, String, String> joined = Joined.as(name);
      sources.out(
          name,
          random.nextBoolean()
              ? left.join(right, Operator::join, joined)
              : left.leftJoin(right, Operator::join, joined));
    }
  },
  PROCESSOR {
    @Override
    void add(String name, Sources sources, Random random) {
      sources
          .builder()
          .addStateStore(
              Stores.keyValueStoreBuilder(
                  sources.engine().keyValueStore(name), sources.serde(), sources.serde()));
      int prefix = 1 + random.nextInt(2);
      sources.out(
          name, sources.stream(random).process(() -> new RangeProcessor(name, prefix), name));
    }
  };

  /** Adds the operator, with a store and a topic of that name. */
  abstract void add(String name, Sources sources, Random random);

  private static CogroupedKStream<String, String> cogroup(Sources sources, Random random) {
    KStream<String, String> one = sources.stream(random);
    Aggregator<String, String, String> join = (key, value, all) -> join(all, value);
    return one.groupByKey()
        .<String>cogroup(join)
        .cogroup(
            sources.otherStream(one).groupByKey(), (key, value, all) -> join(all, "+" + value));
  }

  private static Materialized<String, String, KeyValueStore<Bytes, byte[]>> storeOf(String name) {
    return Materialized.as(name);
  }

  private static String join(String one, String other) {
    String both = one + "," + other;
    return both.substring(Math.max(0, both.length() - 40));
  }

  private static TimeWindows timeWindows(Random random) {
    TimeWindows windows = TimeWindows.ofSizeAndGrace(Duration.ofSeconds(20), seconds(random, 40));
    return random.nextBoolean() ? windows : windows.advanceBy(Duration.ofSeconds(5));
  }

  private static EmitStrategy emitStrategy(Random random) {
    return random.nextBoolean() ? EmitStrategy.onWindowClose() : EmitStrategy.onWindowUpdate();
  }

  private static Duration seconds(Random random, int most) {
    return Duration.ofSeconds(1 + random.nextInt(most));
  }
}
