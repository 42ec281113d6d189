package io.siltstone.liveset;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.TimeUuids;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.CoveredClustering;
import io.siltstone.type.CqlType;
import java.time.LocalDate;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads event times, the times of the first clustering column, from the statistics of SSTables. */
final class EventTimes {
  private EventTimes() {}

  /**
   * Returns the greatest time that a row of an SSTable has in the first clustering column; empty if
   * the column is not a time, or if there is no row or a range tombstone without end.
   */
  static Optional<LiveTable.EventTime> greatest(SSTable table) {
    CoveredClustering covered = table.statistics().stats().coveredClustering();
    if (covered.types().isEmpty() || !table.descriptor().version().hasReliableClusterings()) {
      return Optional.empty();
    }
    CqlType type = covered.types().get(0);
    byte[] value = type.isReversed() ? first(covered) : last(covered);
    return value == null ? Optional.empty() : time(type.unreversed(), value);
  }

  private static byte @Nullable [] first(CoveredClustering covered) {
    return covered.startSize() == 0 ? null : covered.startValue(0);
  }

  private static byte @Nullable [] last(CoveredClustering covered) {
    return covered.endSize() == 0 ? null : covered.endValue(0);
  }

  private static Optional<LiveTable.EventTime> time(CqlType type, byte[] value) {
    int length = type.cqlName().equals("timeuuid") ? TimeUuids.LENGTH : type.fixedLength();
    if (value.length == 0 || (length > 0 && value.length != length)) {
      return Optional.empty();
    }
    return switch (type.cqlName()) {
      case "timestamp" -> Optional.of(new LiveTable.EventTime(BigEndian.getLong(value, 0), true));
      case "timeuuid" -> Optional.of(new LiveTable.EventTime(TimeUuids.millis(value), true));
      case "date" ->
          type.decode(value, 0, value.length) instanceof LocalDate date
              ? Optional.of(
                  new LiveTable.EventTime(TimeUnit.DAYS.toMillis(date.toEpochDay()), true))
              : Optional.empty();
      case "bigint" -> Optional.of(new LiveTable.EventTime(BigEndian.getLong(value, 0), false));
      case "int" -> Optional.of(new LiveTable.EventTime(BigEndian.getInt(value, 0), false));
      default -> Optional.empty();
    };
  }
}
