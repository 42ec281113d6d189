package io.siltstone.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The clock of writes, and the paths of list elements. */
class WriteTimesTest {
  private static final Instant START = Instant.parse("2024-05-01T00:00:00.123456789Z");

  private final AtomicReference<Instant> time = new AtomicReference<>(START);
  private final InstantSource source = () -> time.get();

  @Test
  void timestampsFollowTheTimeAndNeverRepeat() {
    WriteClock clock = WriteClock.following(source);
    long first = clock.nextTimestampMicros();
    assertThat(first).isEqualTo(1_714_521_600_123_456L);
    assertThat(clock.nowSeconds()).isEqualTo(1_714_521_600L);
    assertThat(clock.nextTimestampMicros()).isEqualTo(first + 1);
    time.set(START.minusSeconds(5));
    assertThat(clock.nextTimestampMicros()).isEqualTo(first + 2);
    time.set(START.plusMillis(1));
    assertThat(clock.nextTimestampMicros()).isEqualTo(first + 1000);
  }

  @Test
  void timestampsContinueAfterThoseThatWereGivenBeforeHoweverFarAheadTheyAre() {
    WriteClock clock = WriteClock.following(source);
    assertThat(clock.lastTimestampMicros()).isEqualTo(DeletionTime.NO_TIMESTAMP);
    long now = clock.nextTimestampMicros();
    long years = TimeUnit.DAYS.toMicros(10_000);
    clock.continueAfter(now + years);
    assertThat(clock.lastTimestampMicros()).isEqualTo(now + years);
    assertThat(clock.nextTimestampMicros()).isEqualTo(now + years + 1);
    clock.continueAfter(now);
    assertThat(clock.nextTimestampMicros()).isEqualTo(now + years + 2);
  }

  @Test
  void timestampsStayInTheirRangeWhateverTheClockSays() {
    WriteClock clock = WriteClock.following(source);
    time.set(Instant.MIN);
    assertThat(clock.nextTimestampMicros()).isZero();
    time.set(Instant.ofEpochSecond(-1));
    assertThat(clock.nextTimestampMicros()).isEqualTo(1);
    time.set(Instant.MAX);
    long last = clock.nextTimestampMicros();
    assertThat(last).isBetween(Long.MAX_VALUE / 1000 * 999, Long.MAX_VALUE - (1L << 52));
    clock.continueAfter(Long.MAX_VALUE);
    assertThat(clock.nextTimestampMicros()).isEqualTo(last + 1);
    assertThat(clock.nextTimestampMicros()).isEqualTo(last + 2);
    assertThat(clock.reached()).isAfter(Instant.parse("+100000-01-01T00:00:00Z"));
  }

  @Test
  void theClockHasReachedThePresentOrTheLastTimestamp() {
    WriteClock clock = WriteClock.following(source);
    assertThat(clock.reached()).isEqualTo(START.truncatedTo(ChronoUnit.MICROS));
    long first = clock.nextTimestampMicros();
    time.set(START.minusSeconds(5));
    assertThat(clock.reached()).isEqualTo(START.truncatedTo(ChronoUnit.MICROS));
    assertThat(clock.nextTimestampMicros()).isEqualTo(first + 1);
    time.set(START.plusSeconds(5));
    assertThat(clock.reached()).isEqualTo(START.plusSeconds(5).truncatedTo(ChronoUnit.MICROS));
  }

  @Test
  void timestampsOfManyThreadsAreDistinct() {
    WriteClock clock = WriteClock.following(source);
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 10_000).parallel().forEach(i -> seen.add(clock.nextTimestampMicros()));
    assertThat(seen).hasSize(10_000);
  }

  @Test
  void appendedPathsGrowAndPrependedOnesShrink() {
    ListPaths paths = new ListPaths(source, -1);
    List<byte[]> order = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      time.set(START.plusSeconds(i % 3));
      order.add(paths.append());
      order.add(0, paths.prepend());
    }
    CqlType type = CqlTypes.TIMEUUID;
    for (int i = 0; i < order.size(); i++) {
      byte[] path = order.get(i);
      type.validate(path, 0, path.length);
      UUID uuid = (UUID) Objects.requireNonNull(type.decode(path, 0, path.length));
      assertThat(uuid.variant()).isEqualTo(2);
      if (i > 0) {
        byte[] before = order.get(i - 1);
        assertThat(type.compare(before, 0, before.length, path, 0, path.length)).isNegative();
      }
    }
  }

  @Test
  void aPathTellsItsTime() {
    byte[] path = new ListPaths(source, 0).append();
    UUID uuid = (UUID) Objects.requireNonNull(CqlTypes.TIMEUUID.decode(path, 0, path.length));
    // Ticks of 100 ns from 1582-10-15 to 1970.
    assertThat(uuid.timestamp() - 122_192_928_000_000_000L).isEqualTo(17_145_216_001_234_567L);
  }
}
