package io.siltstone.bench.index;

import io.siltstone.bench.compaction.InputTables;
import io.siltstone.bench.index.IndexPeer.IndexTable;
import io.siltstone.bench.peers.TimedLoop;

/**
 * Point reads of random keys, by one thread: of keys that are there, and of keys that are not but
 * lie between them. Each read is checked for its number of rows.
 */
final class PointReads {
  private static final String MISSING = "-";

  /** The caches during the reads. */
  enum Setting {
    /** Positions of all keys are cached, chunks in a small cache only. */
    KEY_CACHE,
    /** Each read looks its key up in the index. */
    NO_KEY_CACHE,
    /** Each read looks its key up in the index, and finds its chunk in the cache. */
    CHUNK_CACHE;

    boolean hasKeyCache() {
      return this == KEY_CACHE;
    }

    long chunkBytes(Figures figures) {
      return this == CHUNK_CACHE ? figures.whole("all_chunks_bytes") : figures.chunkBytes();
    }
  }

  private final IndexTable table;
  private final Figures figures;
  private final Setting setting;

  PointReads(IndexTable table, Figures figures, Setting setting) {
    this.table = table;
    this.figures = figures;
    this.setting = setting;
  }

  void run() throws Exception {
    long keys = figures.whole("rows");
    for (long key = 0; key < keys; key++) {
      require(table.partition(InputTables.key(key)), 1);
    }
    figures.put(
        setting + ".found",
        TimedLoop.run(
            1,
            figures.seconds(),
            (random, number) ->
                require(table.partition(InputTables.key(random.nextLong(keys))), 1)));
    figures.put(
        setting + ".missing",
        TimedLoop.run(
            1,
            figures.seconds(),
            (random, number) ->
                require(table.partition(InputTables.key(random.nextLong(keys)) + MISSING), 0)));
  }

  private static void require(int found, int expected) {
    if (found != expected) {
      throw new IllegalStateException(found + " rows were read, not " + expected);
    }
  }
}
