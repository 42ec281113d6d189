package io.siltstone.bench.index;

import io.siltstone.bench.compaction.InputTables;
import io.siltstone.bench.index.IndexPeer.IndexTable;
import io.siltstone.bench.peers.TimedLoop;

/**
 * Reads of one wide partition, by one thread: a random row, slices from a random row on, and
 * backward from it. Each read is checked for its number of rows.
 */
final class WideReads {
  private static final int SLICE = 100;
  private static final String KEY = InputTables.key(0);

  private final IndexTable table;
  private final Figures figures;

  WideReads(IndexTable table, Figures figures) {
    this.table = table;
    this.figures = figures;
  }

  void run() throws Exception {
    long rows = figures.whole("rows");
    figures.put(
        "row",
        TimedLoop.run(
            1,
            figures.seconds(),
            (random, number) -> require(table.row(KEY, random.nextLong(rows)), 1)));
    figures.put(
        "slice",
        TimedLoop.run(
            1,
            figures.seconds(),
            (random, number) -> {
              long from = random.nextLong(rows);
              require(table.rowsFrom(KEY, from, SLICE), Math.min(SLICE, rows - from));
            }));
    figures.put(
        "reversed",
        TimedLoop.run(
            1,
            figures.seconds(),
            (random, number) -> {
              long to = random.nextLong(rows);
              require(table.rowsTo(KEY, to, SLICE), Math.min(SLICE, to + 1));
            }));
  }

  private static void require(int found, long expected) {
    if (found != expected) {
      throw new IllegalStateException(found + " rows were read, not " + expected);
    }
  }
}
