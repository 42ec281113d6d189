package io.siltstone.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.event.EngineListener;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.rows.LiveRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DatabaseMetricsTest {
  private static final String READINGS =
      "CREATE TABLE w.readings (station text, at int, celsius double, PRIMARY KEY (station, at))";

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final CompactionService service =
      new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build());

  private Database open() throws IOException {
    return Database.open(
        new MemoryDirectory(),
        DatabaseOptions.builder()
            .compaction(service)
            .slowReadThreshold(Duration.ofNanos(1))
            .build());
  }

  private static void put(Table table, int from, int rows) throws IOException {
    for (int i = from; i < from + rows; i++) {
      table.write(table.mutation("station " + i % 10).insert(i).set("celsius", i * 0.5).build());
    }
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  private double floorOf(String table) {
    return registry.get("siltstone.retention.floor").tag("table", table).gauge().value();
  }

  private double counter(String name) {
    return registry.get(name).functionCounter().count();
  }

  @Test
  void tellsWhatTheDatabaseTells() throws Exception {
    try (Database database = open()) {
      Table readings = database.createTable(READINGS);
      put(readings, 0, 100);
      readings.flush();
      put(readings, 100, 20);
      readings.flush();
      put(readings, 200, 7);
      try (LiveRows rows = readings.read(readings.query().partition("station 3").build())) {
        rows.forEachRemaining(row -> {});
      }
      readings.raiseRetentionFloor(1);
      Table times =
          database.createTable("CREATE TABLE w.times (k int, at timeuuid, PRIMARY KEY (k, at))");
      times.raiseRetentionFloor(Instant.ofEpochMilli(1_500));
      database.createTable("CREATE TABLE w.days (k int, at date, PRIMARY KEY (k, at))");
      database.createTable("CREATE TABLE w.stamps (k int, at timestamp, PRIMARY KEY (k, at))");
      database.table("w", "days").raiseRetentionFloor(LocalDate.ofEpochDay(1));
      database.table("w", "stamps").raiseRetentionFloor(Instant.ofEpochMilli(2_250));
      database.createTable("CREATE TABLE w.other (k int PRIMARY KEY, v int)");
      DatabaseMetrics all = new DatabaseMetrics(database, service, Tags.empty());
      all.bindTo(registry);
      assertThat(floorOf("readings")).isEqualTo(1);
      assertThat(floorOf("times")).isEqualTo(1.5);
      assertThat(floorOf("days")).isEqualTo(86_400);
      assertThat(floorOf("stamps")).isEqualTo(2.25);
      assertThat(floorOf("other")).isNaN();
      all.close();
      for (String name : List.of("times", "days", "stamps", "other")) {
        database.dropTable("w", name);
      }
      new DatabaseMetrics(database, service, Tags.of("database", "weather")).bindTo(registry);

      FunctionTimer reads = registry.get("siltstone.reads").functionTimer();
      assertThat(reads.count()).isEqualTo(1);
      assertThat(reads.totalTime(TimeUnit.MICROSECONDS)).isPositive();
      assertThat(reads.getId().getTags())
          .isEqualTo(
              Tags.of("database", "weather", "keyspace", "w", "table", "readings").stream()
                  .toList());
      FunctionTimer writes = registry.get("siltstone.writes").functionTimer();
      assertThat(writes.count()).isEqualTo(127);
      assertThat(
              registry
                  .get("siltstone.writes.latency")
                  .tag("quantile", "0.99")
                  .timeGauge()
                  .value(TimeUnit.MICROSECONDS))
          .isCloseTo(
              readings.statistics().writes().micros().percentiles().p99(), withinPercentage(0.01));
      assertThat(gauge("siltstone.sstables")).isEqualTo(2);
      assertThat(gauge("siltstone.sstables.size"))
          .isEqualTo((double) readings.statistics().sstables().onDiskBytes());
      assertThat(gauge("siltstone.memtable.rows")).isEqualTo(7);
      assertThat(counter("siltstone.reads.sstables")).isEqualTo(2);
      assertThat(counter("siltstone.flush.written"))
          .isEqualTo((double) readings.statistics().traffic().flushedBytes());
      assertThat(gauge("siltstone.writable")).isEqualTo(1);
      assertThat(gauge("siltstone.compaction.throughput.limit")).isZero();
      assertThat(registry.get("siltstone.memory.used").tag("kind", "memtable").gauge().value())
          .isPositive();
    }
  }

  @Test
  void countsEvents() throws Exception {
    try (Database database = open();
        DatabaseMetrics metrics = new DatabaseMetrics(database)) {
      metrics.bindTo(registry);
      Table readings = database.createTable(READINGS);
      put(readings, 0, 10);
      readings.flush();
      put(readings, 10, 10);
      readings.flush();
      var unused = readings.get(readings.query().partition("station 1").build());
      readings
          .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
          .toCompletableFuture()
          .get();
      assertThat(registry.get("siltstone.flush").timer().count()).isEqualTo(2);
      assertThat(registry.get("siltstone.slow.reads").timer().count()).isEqualTo(1);
      assertThat(
              registry
                  .get("siltstone.compaction")
                  .tags("operation", "major", "outcome", "done", "table", "readings")
                  .timer()
                  .count())
          .isEqualTo(1);
      assertThat(registry.get("siltstone.corruptions").counter().count()).isZero();
    }
  }

  @Test
  void metersFollowTheTablesAndGoInTheEnd() throws IOException {
    try (Database database = open()) {
      DatabaseMetrics metrics = new DatabaseMetrics(database, service, Tags.empty());
      metrics.bindTo(registry);
      assertThat(registry.find("siltstone.sstables").gauge()).isNull();
      put(database.createTable(READINGS), 0, 1);
      assertThat(gauge("siltstone.sstables")).isZero();
      database.flush();
      database.dropTable("w", "readings");
      assertThat(registry.getMeters())
          .extracting(meter -> meter.getId().getTag("table"))
          .containsOnlyNulls();
      put(database.createTable(READINGS), 0, 3);
      assertThat(registry.get("siltstone.writes").functionTimer().count()).isEqualTo(3);
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
      var unused = database.createTable(READINGS.replace("readings", "more"));
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void aTableThatIsCreatedAgainBeforeItsDropIsToldHasItsMeters() throws IOException {
    try (Database database = open()) {
      // Called before the metrics' listener, as if another thread created a table before that call.
      database.addListener(
          new EngineListener() {
            @Override
            public void tableDropped(TableDropped event) {
              try {
                database.createTable(READINGS);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          });
      try (DatabaseMetrics metrics = new DatabaseMetrics(database, service, Tags.empty())) {
        metrics.bindTo(registry);
        put(database.createTable(READINGS), 0, 5);
        database.flush();
        assertThat(registry.get("siltstone.flush").timer().count()).isEqualTo(1);
        database.dropTable("w", "readings");
        put(database.table("w", "readings"), 0, 3);
        assertThat(registry.get("siltstone.writes").functionTimer().count()).isEqualTo(3);
        assertThat(gauge("siltstone.memtable.rows")).isEqualTo(3);
        database.flush();
        assertThat(registry.get("siltstone.flush").timer().count()).isEqualTo(1);
      }
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void namesAndUnitsFollowTheConventionAndAreDocumented() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "observability.md"));
    try (Database database = open()) {
      put(database.createTable(READINGS), 0, 1);
      new DatabaseMetrics(database, service, Tags.empty()).bindTo(registry);
      database.flush();
      for (Meter meter : registry.getMeters()) {
        Meter.Id id = meter.getId();
        assertThat(id.getName()).matches("siltstone(\\.[a-z]+)+");
        assertThat(page).contains("`" + id.getName() + "`");
        assertThat(id.getDescription()).isNotBlank();
        assertThat(id.getTags())
            .allSatisfy(
                tag -> {
                  assertThat(tag.getKey()).isEqualTo(tag.getKey().toLowerCase(Locale.ROOT));
                  assertThat(tag.getValue()).isNotBlank();
                });
      }
      assertThat(registry.getMeters().stream().map(Meter::getId)).doesNotHaveDuplicates();
    }
  }

  @Test
  void aClosedDatabaseHasNoFiguresButKeepsItsCounts() throws IOException {
    try (Database database = open()) {
      put(database.createTable(READINGS), 0, 5);
      new DatabaseMetrics(database).bindTo(registry);
      assertThat(registry.get("siltstone.writes").functionTimer().count()).isEqualTo(5);
      assertThat(gauge("siltstone.memory.limit")).isPositive();
    }
    CachedFigures<Integer> closed =
        new CachedFigures<>(
            () -> {
              throw new IllegalStateException("closed");
            });
    assertThat(closed.gauge(Integer::doubleValue)).isNaN();
    assertThat(closed.count(Integer::doubleValue)).isZero();
  }

  @Test
  void aRegistryKeepsNoDatabaseAlive() throws IOException {
    WeakReference<Database> lost = used();
    byte[][] memory = new byte[64][];
    for (int i = 0; lost.get() != null && i < 10_000; i++) {
      System.gc();
      memory[i % memory.length] = new byte[1 << 16];
    }
    assertThat(lost.get()).isNull();
    assertThat(registry.get("siltstone.sstables").gauge().value()).isNaN();
  }

  private WeakReference<Database> used() throws IOException {
    try (Database database = open()) {
      put(database.createTable(READINGS), 0, 5);
      new DatabaseMetrics(database, service, Tags.empty()).bindTo(registry);
      assertThat(registry.get("siltstone.writes").functionTimer().count()).isEqualTo(5);
      return new WeakReference<>(database);
    }
  }
}
