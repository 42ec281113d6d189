package io.siltstone.compaction.strategy;

import static io.siltstone.compaction.strategy.MadeUp.live;
import static io.siltstone.compaction.strategy.MadeUp.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.spi.LiveTable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShadowIndexTest {
  private static final long SEED = Long.getLong("siltstone.seed", 7);

  @Test
  void findsWhatHasAKeyInCommonAndIsNotAllNewer() {
    Random random = new Random(SEED);
    for (int run = 0; run < 200; run++) {
      List<LiveTable> made = new ArrayList<>();
      int count = 1 + random.nextInt(40);
      for (int i = 0; i < count; i++) {
        long first = random.nextInt(100);
        long last = first + random.nextInt(random.nextBoolean() ? 4 : 60);
        long from = random.nextInt(50);
        made.add(table(i).tokens(first, last).times(from, from + random.nextInt(30)).make());
      }
      List<LiveTable> tables = live(made).tables();
      ShadowIndex index = new ShadowIndex(tables);
      for (LiveTable table : tables) {
        List<LiveTable> expected =
            tables.stream()
                .filter(
                    other -> table.overlaps(other) && other.minTimestamp() <= table.maxTimestamp())
                .toList();
        assertThat(found(index, tables, table)).as("seed %s", SEED).isEqualTo(expected);
      }
    }
  }

  private static List<LiveTable> found(ShadowIndex index, List<LiveTable> in, LiveTable table) {
    List<LiveTable> found = new ArrayList<>();
    for (int i = index.next(0, table); i >= 0; i = index.next(i + 1, table)) {
      found.add(in.get(i));
    }
    return found;
  }

  @Test
  void looksAtFewTablesEvenIfOneOverlapsAll() {
    int count = 1000;
    List<LiveTable> made = new ArrayList<>();
    made.add(table(count).make());
    for (int i = 0; i < count; i++) {
      made.add(table(i).tokens(10L * i, 10L * i + 9).make());
    }
    List<LiveTable> tables = live(made).tables();
    int[] looks = {0};
    ShadowIndex index =
        new ShadowIndex(
            new AbstractList<>() {
              @Override
              public LiveTable get(int i) {
                looks[0]++;
                return tables.get(i);
              }

              @Override
              public int size() {
                return tables.size();
              }
            });
    for (LiveTable table : tables.subList(1, tables.size())) {
      assertThat(found(index, tables, table)).containsExactly(tables.get(0), table);
    }
    assertThat(looks[0]).isLessThan(100 * count);
  }
}
