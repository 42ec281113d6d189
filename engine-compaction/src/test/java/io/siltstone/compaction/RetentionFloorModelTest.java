package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.PowerCuts;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Retention floors against a model: a random history of writes, deletions, floors, flushes,
 * compactions and restarts shows, in each kind of read, the rows of a map without those below the
 * floor. Repeated with {@code -Dsiltstone.seed=N}, enlarged with {@code -Dsiltstone.scale=N}.
 */
class RetentionFloorModelTest {
  private static final long SEED = Long.getLong("siltstone.seed", 1);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int POINTS = 3;
  private static final int KEYS = 3;
  private static final int TIMES = 24;
  // The floor rises through the first part of the times, so that some rows always stay.
  private static final int FLOORS = 18;

  private static final String MERGED =
      " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': '2'}";

  /** A step of a history, on a database and on the model. */
  private interface Step {
    void run(Telling telling) throws Exception;
  }

  /** The rows of all partitions, the static values and the floor. */
  private static final class Model {
    private final TreeMap<String, String> rows;
    private final TreeMap<Integer, String> statics;
    private long floor;

    Model() {
      this(Map.of(), Map.of(), -1);
    }

    private Model(Map<String, String> rows, Map<Integer, String> statics, long floor) {
      this.rows = new TreeMap<>(rows);
      this.statics = new TreeMap<>(statics);
      this.floor = floor;
    }

    Model copy() {
      return new Model(rows, statics, floor);
    }

    static String place(int k, long at, int c) {
      return "%d %02d %d".formatted(k, at, c);
    }

    private static int keyOf(String place) {
      return Integer.parseInt(place.substring(0, 1));
    }

    private static long timeOf(String place) {
      return Long.parseLong(place.substring(2, 4));
    }

    void removeBetween(int k, long from, long before) {
      rows.keySet()
          .removeIf(place -> keyOf(place) == k && timeOf(place) >= from && timeOf(place) < before);
    }

    /** Returns the rows of a partition from one time on, with the static value. */
    List<String> of(int k, long from, boolean isWhole) {
      List<String> shown = new ArrayList<>();
      String ofPartition = statics.getOrDefault(k, "-");
      rows.forEach(
          (place, value) -> {
            if (keyOf(place) == k && timeOf(place) >= Math.max(from, floor)) {
              shown.add(place + " " + value + " " + ofPartition);
            }
          });
      if (shown.isEmpty() && isWhole && statics.containsKey(k)) {
        shown.add(k + " static " + ofPartition);
      }
      return shown;
    }

    List<String> all() {
      List<String> all = new ArrayList<>();
      for (int k = 0; k < KEYS; k++) {
        all.addAll(of(k, 0, true));
      }
      return all;
    }
  }

  /** A random history. */
  private static final class History {
    private final List<Step> steps = new ArrayList<>();
    // The model before the first step and after each.
    private final List<Model> models = new ArrayList<>();
    private final String create;

    History(long seed, int length, boolean isDescending, String options) {
      this.create =
          "CREATE TABLE ks.t (k int, at bigint, c int, v text, s text static, PRIMARY KEY (k, at,"
              + " c)) WITH gc_grace_seconds = 0 AND CLUSTERING ORDER BY (at "
              + (isDescending ? "DESC" : "ASC")
              + ", c ASC)"
              + options;
      Random random = new Random(seed);
      Model model = new Model();
      models.add(model.copy());
      for (int i = 0; i < length; i++) {
        int k = random.nextInt(KEYS);
        long at = random.nextInt(TIMES);
        int c = random.nextInt(2);
        String value = "v" + i;
        long floor = (long) FLOORS * i / length;
        switch (random.nextInt(20)) {
          case 0 -> {
            model.removeBetween(k, 0, TIMES);
            model.statics.remove(k);
            steps.add(telling -> telling.write(k, MutationBuilder::deletePartition));
          }
          case 1 -> {
            model.statics.put(k, value);
            steps.add(telling -> telling.write(k, change -> change.set("s", value)));
          }
          case 2, 3 -> {
            long before = at + 1 + random.nextInt(6);
            model.removeBetween(k, at, before);
            ClusteringRange range = ClusteringRange.all().from(at).before(before);
            steps.add(telling -> telling.write(k, change -> change.deleteRange(range)));
          }
          case 4 -> {
            model.rows.remove(Model.place(k, at, c));
            steps.add(telling -> telling.write(k, change -> change.deleteRow(at, c)));
          }
          case 5, 6 -> {
            boolean isRaised = floor > model.floor;
            model.floor = Math.max(floor, model.floor);
            steps.add(
                telling ->
                    assertThat(telling.table().raiseRetentionFloor(floor)).isEqualTo(isRaised));
          }
          case 7, 8, 9 -> steps.add(telling -> telling.table().flush());
          case 10, 11 -> steps.add(Telling::compact);
          case 12 -> steps.add(Telling::reopen);
          default -> {
            model.rows.put(Model.place(k, at, c), value);
            steps.add(telling -> telling.write(k, change -> change.insert(at, c).set("v", value)));
          }
        }
        models.add(model.copy());
      }
    }
  }

  /** A run of a history, as far as it gets. */
  private static final class Telling implements PowerCuts.Case {
    private final History history;
    private final boolean isChecked;
    private Directory disk = new SimulatedDisk();
    private @Nullable Database database;
    private boolean isReopened;
    private int done;

    Telling(History history, boolean isChecked) {
      this.history = history;
      this.isChecked = isChecked;
    }

    Table table() {
      return Objects.requireNonNull(database).table("ks", "t");
    }

    void write(int k, UnaryOperator<MutationBuilder> change) throws IOException {
      table().write(change.apply(table().mutation(k)).build());
    }

    void compact() throws Exception {
      table()
          .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
          .toCompletableFuture()
          .get()
          .orThrow();
    }

    void reopen() throws IOException {
      isReopened = true;
      Objects.requireNonNull(database).close();
      database = open(disk);
    }

    private static Database open(Directory disk) throws IOException {
      return Database.open(
          disk,
          DatabaseOptions.builder()
              .compaction(
                  new CompactionService(
                      CompactionOptions.builder()
                          .bytesPerSecond(0)
                          .compactors(1)
                          .pipelineThreads(0)
                          .subCompactions(1)
                          // An hour later tombstones may be purged.
                          .clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))
                          .build()))
              .memtableBytes(1 << 20)
              .chunkCacheBytes(1 << 20)
              .commitLog(
                  CommitLogOptions.builder()
                      .syncMode(SyncMode.BATCH)
                      .segmentBytes(4096)
                      .bufferBytes(64 << 10)
                      .build())
              .build());
    }

    @Override
    public void run(Directory on) throws Exception {
      disk = on;
      database = open(on);
      try {
        if (Objects.requireNonNull(database).tables().isEmpty()) {
          database.createTable(history.create);
        }
        for (Step step : history.steps) {
          Model before = history.models.get(done);
          isReopened = false;
          try (LiveRows held = isChecked ? table().read(table().query().build()) : null) {
            step.run(this);
            if (held != null && !isReopened) {
              assertThat(lines(held)).as("held before step %d", done).isEqualTo(before.all());
            }
          }
          done++;
          if (isChecked) {
            requireSame(table(), history.models.get(done), "step " + done, done % 4 == 0);
          }
        }
      } finally {
        Objects.requireNonNull(database).close();
      }
    }

    @Override
    public void check(Directory rebooted) throws Exception {
      try (Database found = open(rebooted)) {
        if (found.tables().isEmpty()) {
          assertThat(done).isZero();
          return;
        }
        Table table = found.table("ks", "t");
        List<String> shown = all(table);
        Model after = history.models.get(done);
        Model next = history.models.get(Math.min(done + 1, history.steps.size()));
        assertThat(shown).isIn(after.all(), next.all());
        // Hidden rows do not prevent a compaction from purging.
        database = found;
        compact();
        assertThat(all(table)).isEqualTo(shown);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void readsShowTheRowsOfTheModelFromTheFloorOn(boolean isDescending) throws Exception {
    for (long seed = SEED; seed < SEED + SCALE; seed++) {
      try {
        new Telling(new History(seed, 90, isDescending, MERGED), true).run(new SimulatedDisk());
      } catch (AssertionError | Exception e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void theFloorIsKeptAfterAPowerLossAtAnyOperation(FileSystemModel model) {
    History history =
        new History(
            SEED,
            40,
            false,
            " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
    int points =
        PowerCuts.on(model, SEED)
            .atMost(POINTS * SCALE)
            .atEachOperation(() -> new Telling(history, false));
    assertThat(points).isGreaterThanOrEqualTo(POINTS);
  }

  private static void requireSame(Table table, Model model, String when, boolean isEachRowRead)
      throws IOException {
    assertThat(all(table)).as("scan after %s", when).isEqualTo(model.all());
    for (int k = 0; k < KEYS; k++) {
      Query whole = table.query().partition(k).build();
      assertThat(read(table, whole)).as("partition after %s", when).isEqualTo(model.of(k, 0, true));
      Query reversed = table.query().partition(k).reversed().build();
      assertThat(read(table, reversed))
          .as("reversed after %s", when)
          .isEqualTo(model.of(k, 0, true));
      for (long from = 0; from < TIMES; from += 5) {
        Query slice = table.query().partition(k).rows(ClusteringRange.all().from(from)).build();
        assertThat(read(table, slice))
            .as("from %d after %s", from, when)
            .isEqualTo(model.of(k, from, false));
      }
      for (long at = 0; isEachRowRead && at < TIMES; at++) {
        Query row = table.query().partition(k).rows(ClusteringRange.of(at, 0)).build();
        String place = Model.place(k, at, 0);
        assertThat(table.get(row).isPresent())
            .as("row %s after %s", place, when)
            .isEqualTo(model.rows.containsKey(place) && at >= model.floor);
      }
    }
  }

  private static List<String> all(Table table) throws IOException {
    return read(table, table.query().build());
  }

  private static List<String> read(Table table, Query query) throws IOException {
    try (LiveRows rows = table.read(query)) {
      return lines(rows);
    }
  }

  private static List<String> lines(LiveRows rows) {
    List<String> lines = new ArrayList<>();
    while (rows.hasNext()) {
      Row row = rows.next();
      String ofPartition = row.isNull("s") ? "-" : row.getString("s");
      lines.add(
          row.isNull("at")
              ? row.getInt("k") + " static " + ofPartition
              : Model.place(row.getInt("k"), row.getLong("at"), row.getInt("c"))
                  + " "
                  + row.getString("v")
                  + " "
                  + ofPartition);
    }
    lines.sort(null);
    return lines;
  }
}
