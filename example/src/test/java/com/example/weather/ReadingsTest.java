package com.example.weather;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.rows.PagingState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadingsTest {
  private static final Instant NOON = Instant.parse("2026-06-15T12:00:00Z");

  @TempDir private Path directory;

  private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
  private Database database;
  private Readings readings;

  @BeforeEach
  void open() throws Exception {
    DatabaseOptions options = WeatherService.options().clock(now::get).build();
    database = Database.open(directory, options);
    readings = new Readings(database);
  }

  @AfterEach
  void close() throws Exception {
    database.close();
  }

  /** Returns one reading per hour for a number of hours up to noon. */
  private static List<Reading> hours(int count) {
    List<Reading> hours = new ArrayList<>();
    for (int hour = count - 1; hour >= 0; hour--) {
      hours.add(new Reading(NOON.minus(Duration.ofHours(hour)), hour / 2.0, 50 + hour % 40));
    }
    return hours;
  }

  private static List<Reading> lastFirst(List<Reading> of) {
    List<Reading> reversed = new ArrayList<>(of);
    java.util.Collections.reverse(reversed);
    return reversed;
  }

  @Test
  void theLatestComeFirstAcrossDays() throws Exception {
    List<Reading> all = hours(100);
    readings.put("Köln", all);

    assertEquals(lastFirst(all).subList(0, 30), readings.latest("Köln", 30));
    assertEquals(lastFirst(all), readings.latest("Köln", 1000));
    assertEquals(List.of(), readings.latest("Bonn", 10));
  }

  @Test
  void aRangeOfTimeHasItsFirstMomentAndNotItsLast() throws Exception {
    List<Reading> all = hours(60);
    readings.put("Köln", all);

    List<Reading> found = readings.between("Köln", all.get(5).at(), all.get(40).at());

    assertEquals(lastFirst(all.subList(5, 40)), found);
  }

  @Test
  void pagesTogetherAreTheDay() throws Exception {
    readings.put("Köln", hours(40));
    LocalDate day = LocalDate.parse("2026-06-15");

    List<Reading> paged = new ArrayList<>();
    Optional<PagingState> next = Optional.empty();
    int pages = 0;
    do {
      // As a client would send it back.
      Optional<PagingState> sent = next.map(token -> PagingState.parse(token.toString()));
      Readings.Page page = readings.page("Köln", day, 5, sent);
      assertTrue(page.readings().size() <= 5);
      paged.addAll(page.readings());
      next = page.next();
      pages++;
    } while (next.isPresent());

    assertEquals(lastFirst(hours(13)), paged);
    assertEquals(3, pages);
  }

  @Test
  void whatIsDeletedIsGone() throws Exception {
    List<Reading> all = hours(40);
    readings.put("Köln", all);

    readings.delete("Köln", NOON);
    readings.delete("Köln", LocalDate.parse("2026-06-14"));

    List<Reading> left = new ArrayList<>(lastFirst(hours(13)).subList(1, 13));
    left.addAll(lastFirst(all.subList(0, 3)));
    assertEquals(left, readings.latest("Köln", 1000));
  }

  @Test
  void aReadingThatComesLateIsNotTheLatest() throws Exception {
    readings.put("Köln", List.of(new Reading(NOON, 20, 50)));
    readings.put("Köln", List.of(new Reading(NOON.minusSeconds(60), 10, 50)));

    assertEquals(20, readings.stations().get("Köln").celsius());
    assertEquals(2, readings.latest("Köln", 5).size());
  }

  @Test
  void readingsExpireAfterThirtyDays() throws Exception {
    readings.put("Köln", hours(5));
    assertEquals(Set.of("Köln"), readings.stations().keySet());

    now.set(NOON.plus(Duration.ofDays(Readings.DAYS_KEPT)).minusSeconds(2));
    assertEquals(5, readings.latest("Köln", 10).size());

    now.set(NOON.plus(Duration.ofDays(Readings.DAYS_KEPT)).plusSeconds(2));
    assertEquals(List.of(), readings.latest("Köln", 10));
    assertEquals(Set.of(), readings.stations().keySet());
  }

  @Test
  void whatWasFlushedIsReadTogetherWithWhatWasNot() throws Exception {
    List<Reading> all = hours(30);
    readings.put("Köln", all.subList(0, 10));
    database.flush();
    readings.put("Köln", all.subList(10, 20));
    database.flush();
    readings.put("Köln", all.subList(20, 30));

    assertEquals(lastFirst(all), readings.latest("Köln", 100));
  }
}
