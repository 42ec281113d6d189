package io.siltstone.interop;

import java.util.Random;
import java.util.stream.LongStream;

/**
 * Determines the random tables and histories of a test. Each is made by one seed, which a failing
 * test names; system properties repeat one ({@code interop.seed}), or run more of them ({@code
 * interop.scale}, a factor, and {@code interop.firstSeed}). Each test run has a share of them
 * ({@code interop.share}), which is small for all but the first, because most do not depend on
 * version or partitioner.
 */
final class RandomCases {

  private RandomCases() {}

  /**
   * @param count number in the small run of every build
   */
  static LongStream seeds(int count) {
    Long one = Long.getLong("interop.seed");
    if (one != null) {
      return LongStream.of(one);
    }
    long first = Long.getLong("interop.firstSeed", 1);
    double all = (double) count * Integer.getInteger("interop.scale", 1);
    double share = Double.parseDouble(System.getProperty("interop.share", "1"));
    return LongStream.range(first, first + (long) Math.ceil(all * share));
  }

  /**
   * Returns a random table with a random history in its memtable; closing it drops it. SSTables are
   * written in BTI if the seed is odd.
   */
  static Case run(CassandraNode node, long seed) {
    SelectedFormat.bySeed(node, seed);
    return runInSelected(node, seed);
  }

  /** Returns a table as {@link #run}, without a change of the format. */
  static Case runInSelected(CassandraNode node, long seed) {
    String name = node.newTableName();
    RandomTable random = RandomTable.of(seed, name, node.options());
    CassandraTable table =
        CassandraTable.create(node, name, random.createTypes(), random.createTable());
    try {
      RandomWorkload workload = new RandomWorkload(seed, table, node.options());
      Random size = new Random(seed);
      if (size.nextInt(4) == 0) {
        workload.widen(200 + size.nextInt(1500));
      }
      workload.run(20 + size.nextInt(400));
    } catch (RuntimeException | Error e) {
      e.addSuppressed(new IllegalStateException("seed " + seed + ", table " + random));
      table.close();
      throw e;
    }
    return new Case(seed, random, table);
  }

  /** One table with its history. */
  record Case(long seed, RandomTable definition, CassandraTable table) implements AutoCloseable {
    @Override
    public void close() {
      table.close();
    }
  }
}
