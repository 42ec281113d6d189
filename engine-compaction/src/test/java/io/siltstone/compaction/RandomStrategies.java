package io.siltstone.compaction;

import io.siltstone.model.Operation;
import io.siltstone.model.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Draws strategies that plan jobs as soon as there are two small SSTables. */
public final class RandomStrategies {
  private RandomStrategies() {}

  /**
   * Returns the sequence with a strategy for each table at first, and changes of strategies now and
   * then.
   */
  public static Sequence in(Sequence sequence) {
    Random random = new Random(sequence.seed());
    List<Operation> operations = new ArrayList<>();
    sequence.tables().forEach(table -> operations.add(operation(random, table.name())));
    for (Operation operation : sequence.operations()) {
      if (random.nextInt(30) == 0) {
        String table = sequence.tables().get(random.nextInt(sequence.tables().size())).name();
        operations.add(operation(random, table));
      }
      operations.add(operation);
    }
    return new Sequence(
        sequence.seed(),
        sequence.partitioner(),
        sequence.start(),
        sequence.tables(),
        List.copyOf(operations));
  }

  /** Gives a table a strategy. */
  static Operation operation(Random random, String table) {
    return new Operation.SetOptions(table, draw(random));
  }

  /** Returns a {@code compaction} option, but none with which data may come back by intent. */
  public static String draw(Random random) {
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
