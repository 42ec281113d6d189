package io.siltstone.compaction;

import io.siltstone.model.Operation;
import java.util.List;
import java.util.Random;

/** Strategies that have something to do as soon as there are two small SSTables. */
final class RandomStrategies {
  private RandomStrategies() {}

  /** Gives a table a strategy. */
  static Operation operation(Random random, String table) {
    return new Operation.SetOptions(table, draw(random));
  }

  /** A {@code compaction} option. Never one with which data may come back by intent. */
  static String draw(Random random) {
    String options =
        switch (random.nextInt(4)) {
          case 0 ->
              "'SizeTieredCompactionStrategy', 'min_threshold': 2, 'max_threshold': "
                  + (2 + random.nextInt(4));
          case 1 ->
              "'LeveledCompactionStrategy', 'sstable_size_in_mb': 1, 'fanout_size': "
                  + (2 + random.nextInt(9));
          case 2 ->
              "'TimeWindowCompactionStrategy', 'min_threshold': 2, 'compaction_window_unit':"
                  + " 'MINUTES', 'compaction_window_size': 1,"
                  + " 'expired_sstable_check_frequency_seconds': 0";
          default ->
              "'UnifiedCompactionStrategy', 'target_sstable_size': '1MiB', 'min_sstable_size':"
                  + " '0B', 'base_shard_count': "
                  + (1 + random.nextInt(4))
                  + ", 'scaling_parameters': '"
                  + one(random, List.of("T2", "T4", "N", "L2", "L4, T2"))
                  + "'";
        };
    return "compaction = {'class': " + options + tombstones(random) + "}";
  }

  private static String tombstones(Random random) {
    if (random.nextBoolean()) {
      return "";
    }
    return ", 'tombstone_threshold': '0.01', 'tombstone_compaction_interval': 1,"
        + " 'unchecked_tombstone_compaction': '"
        + random.nextBoolean()
        + "', 'provide_overlapping_tombstones': '"
        + one(random, List.of("none", "row", "cell"))
        + "'";
  }

  private static <T> T one(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
