package com.example.weather;

import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.PagingState;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The readings of all stations, in two tables: a partition for each station and day, the latest
 * reading first; and a row for each station with its latest reading.
 *
 * <p>Readings are kept for thirty days. Safe for use by all threads; the opener of the database
 * closes it.
 */
public final class Readings {
  /** The number of days for which a reading is kept. */
  static final int DAYS_KEPT = 30;

  private static final String BY_DAY =
      """
      CREATE TABLE IF NOT EXISTS weather.readings (
          station text,
          day date,
          at timestamp,
          celsius double,
          humidity int,
          PRIMARY KEY ((station, day), at)
      ) WITH CLUSTERING ORDER BY (at DESC)
          AND default_time_to_live = 2592000
          AND gc_grace_seconds = 0
          AND compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '16'}
          AND compaction = {'class': 'TimeWindowCompactionStrategy',
              'compaction_window_unit': 'DAYS', 'compaction_window_size': '1'}
      """;

  private static final String LATEST =
      """
      CREATE TABLE IF NOT EXISTS weather.latest (
          station text PRIMARY KEY,
          at timestamp,
          celsius double,
          humidity int
      ) WITH default_time_to_live = 2592000 AND gc_grace_seconds = 0
      """;

  private final Database database;
  private final Table byDay;
  private final Table latest;

  /** Creates the tables in a database unless they exist. */
  public Readings(Database database) throws IOException {
    this.database = database;
    this.byDay = database.createTable(BY_DAY);
    this.latest = database.createTable(LATEST);
  }

  /** A page of readings, and the position of the next page, if there may be one. */
  public record Page(List<Reading> readings, Optional<PagingState> next) {}

  /** Stores readings of a station: after a crash there are all of them or none. */
  public void put(String station, List<Reading> readings) throws IOException {
    Map<LocalDate, MutationBuilder> days = new TreeMap<>();
    Reading last = null;
    for (Reading reading : readings) {
      days.computeIfAbsent(dayOf(reading.at()), day -> byDay.mutation(station, day))
          .insert(reading.at())
          .set("celsius", reading.celsius())
          .set("humidity", reading.humidity());
      if (last == null || reading.at().isAfter(last.at())) {
        last = reading;
      }
    }
    if (last == null) {
      return;
    }
    List<Mutation> mutations = new ArrayList<>();
    days.values().forEach(day -> mutations.add(day.build()));
    // The timestamp is the reading's time: a reading that comes late does not replace a later one.
    mutations.add(
        latest
            .mutation(station)
            .timestamp(last.at().toEpochMilli() * 1000)
            .insert()
            .set("at", last.at())
            .set("celsius", last.celsius())
            .set("humidity", last.humidity())
            .build());
    database.write(new Batch(mutations));
  }

  /** Returns the latest readings of a station, the last one first. */
  public List<Reading> latest(String station, int count) throws IOException {
    Optional<Row> last = latest.get(latest.query().partition(station).build());
    List<Reading> found = new ArrayList<>();
    if (last.isPresent()) {
      LocalDate day = dayOf(reading(last.get()).at());
      LocalDate first = day.minusDays(DAYS_KEPT);
      for (; found.size() < count && !day.isBefore(first); day = day.minusDays(1)) {
        Query query = byDay.query().partition(station, day).limit(count - found.size()).build();
        found.addAll(read(query));
      }
    }
    return found;
  }

  /**
   * Returns the readings of a station from one moment (inclusive) to another (exclusive), the last
   * one first.
   */
  public List<Reading> between(String station, Instant from, Instant to) throws IOException {
    List<Reading> found = new ArrayList<>();
    LocalDate first = dayOf(from);
    for (LocalDate day = dayOf(to); !day.isBefore(first); day = day.minusDays(1)) {
      Query query =
          byDay
              .query()
              .partition(station, day)
              .rows(ClusteringRange.all().from(from).before(to))
              .build();
      found.addAll(read(query));
    }
    return found;
  }

  /** Returns a page of a station's day. */
  public Page page(String station, LocalDate day, int size, Optional<PagingState> behind)
      throws IOException {
    Query query = byDay.query().partition(station, day).pageSize(size).build();
    Query rest = behind.isPresent() ? query.after(behind.get()) : query;
    try (LiveRows rows = byDay.read(rest)) {
      List<Reading> readings = new ArrayList<>();
      rows.forEachRemaining(row -> readings.add(reading(row)));
      return new Page(readings, rows.pagingState());
    }
  }

  /** Returns each known station with its latest reading. */
  public Map<String, Reading> stations() throws IOException {
    Map<String, Reading> stations = new TreeMap<>();
    try (LiveRows rows = latest.read(latest.query().build())) {
      rows.forEachRemaining(row -> stations.put(row.getString("station"), reading(row)));
    }
    return stations;
  }

  /** Deletes one reading. */
  public void delete(String station, Instant at) throws IOException {
    byDay.write(byDay.mutation(station, dayOf(at)).deleteRow(at).build());
  }

  /** Deletes a day of a station. */
  public void delete(String station, LocalDate day) throws IOException {
    byDay.write(byDay.mutation(station, day).deletePartition().build());
  }

  private List<Reading> read(Query query) throws IOException {
    try (LiveRows rows = byDay.read(query)) {
      List<Reading> readings = new ArrayList<>();
      rows.forEachRemaining(row -> readings.add(reading(row)));
      return readings;
    }
  }

  private static Reading reading(Row row) {
    return new Reading(row.getInstant("at"), row.getDouble("celsius"), row.getInt("humidity"));
  }

  private static LocalDate dayOf(Instant at) {
    return LocalDate.ofInstant(at, ZoneOffset.UTC);
  }
}
