package io.siltstone.type;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A duration of CQL. Months, days and nanoseconds are kept apart, since a month has no fixed number
 * of days, nor a day of hours.
 *
 * <p>All three have the same sign. Source: Cassandra {@code Duration}.
 *
 * @param months any int
 * @param days any int
 * @param nanoseconds any long
 */
public record CqlDuration(int months, int days, long nanoseconds) {
  /** The duration of length zero. */
  public static final CqlDuration ZERO = new CqlDuration(0, 0, 0);

  private enum Part {
    MONTHS,
    DAYS,
    NANOSECONDS
  }

  /** Units in the order in which they are written. */
  private enum Unit {
    YEARS("y", Part.MONTHS, 12),
    MONTHS("mo", Part.MONTHS, 1),
    WEEKS("w", Part.DAYS, 7),
    DAYS("d", Part.DAYS, 1),
    HOURS("h", Part.NANOSECONDS, 3_600_000_000_000L),
    MINUTES("m", Part.NANOSECONDS, 60_000_000_000L),
    SECONDS("s", Part.NANOSECONDS, 1_000_000_000L),
    MILLISECONDS("ms", Part.NANOSECONDS, 1_000_000L),
    MICROSECONDS("us", Part.NANOSECONDS, 1_000L),
    NANOSECONDS("ns", Part.NANOSECONDS, 1L);

    final String symbol;
    final Part part;
    final long size;

    Unit(String symbol, Part part, long size) {
      this.symbol = symbol;
      this.part = part;
      this.size = size;
    }

    static Unit of(String symbol) {
      String lower = symbol.toLowerCase(Locale.ROOT).replace('µ', 'u');
      for (Unit unit : values()) {
        if (unit.symbol.equals(lower)) {
          return unit;
        }
      }
      throw new IllegalArgumentException("unknown unit " + symbol);
    }
  }

  private static final Pattern STANDARD =
      Pattern.compile("(\\d+)(mo|ms|us|µs|ns|[ywdhms])", Pattern.CASE_INSENSITIVE);
  private static final Pattern ISO =
      Pattern.compile(
          "P(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)D)?(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+)S)?)?");
  private static final Pattern ISO_WEEKS = Pattern.compile("P(\\d+)W");
  private static final Pattern ISO_ALTERNATIVE =
      Pattern.compile("P(\\d{4})-(\\d{2})-(\\d{2})T(\\d{2}):(\\d{2}):(\\d{2})");
  private static final List<Unit> ISO_UNITS =
      List.of(Unit.YEARS, Unit.MONTHS, Unit.DAYS, Unit.HOURS, Unit.MINUTES, Unit.SECONDS);

  /** Checks that the signs agree. */
  public CqlDuration {
    boolean positive = months >= 0 && days >= 0 && nanoseconds >= 0;
    boolean negative = months <= 0 && days <= 0 && nanoseconds <= 0;
    if (!positive && !negative) {
      throw new IllegalArgumentException(
          "duration of "
              + months
              + " months, "
              + days
              + " days, "
              + nanoseconds
              + " ns, allowed: all of one sign");
    }
  }

  /**
   * Parses {@code 1y2mo3w4d5h6m7s8ms9us10ns} (any of the units, in this order), {@code
   * P1Y2M3DT4H5M6S}, {@code P3W} or {@code P0001-02-03T04:05:06}, each with or without a minus sign
   * before it.
   *
   * @throws IllegalArgumentException if the text is none of these or out of range
   */
  public static CqlDuration parse(String text) {
    boolean negative = text.startsWith("-");
    String source = negative ? text.substring(1) : text;
    Sum sum = new Sum(text);
    Matcher weeks = ISO_WEEKS.matcher(source);
    Matcher alternative = ISO_ALTERNATIVE.matcher(source);
    Matcher iso = ISO.matcher(source);
    if (weeks.matches()) {
      sum.add(weeks.group(1), Unit.WEEKS);
    } else if (alternative.matches()) {
      sum.addAll(alternative);
    } else if (iso.matches()) {
      sum.addAll(iso);
    } else {
      parseStandard(source, sum);
    }
    return sum.duration(negative);
  }

  private static void parseStandard(String source, Sum sum) {
    Matcher part = STANDARD.matcher(source);
    int position = 0;
    while (part.find() && part.start() == position) {
      sum.add(part.group(1), Unit.of(part.group(2)));
      position = part.end();
    }
    if (position == 0 || position != source.length()) {
      throw sum.refused("not of the form 1y2mo3w4d5h6m7s8ms9us10ns", null);
    }
  }

  /**
   * Returns the duration in the form of CQL, which {@link #parse} reads, e.g. {@code 1y2mo3d4h};
   * {@code 0s} for {@link #ZERO}.
   */
  @Override
  public String toString() {
    if (equals(ZERO)) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    if (months < 0 || days < 0 || nanoseconds < 0) {
      text.append('-');
    }
    long rest = append(text, Math.abs((long) months), Unit.YEARS);
    append(text, rest, Unit.MONTHS);
    append(text, Math.abs((long) days), Unit.DAYS);
    rest = Math.abs(nanoseconds); // the smallest long is its own absolute value, hence unsigned
    for (Unit unit : EnumSet.range(Unit.HOURS, Unit.NANOSECONDS)) {
      rest = append(text, rest, unit);
    }
    return text.toString();
  }

  private static long append(StringBuilder text, long amount, Unit unit) {
    long count = Long.divideUnsigned(amount, unit.size);
    if (count != 0) {
      text.append(count).append(unit.symbol);
    }
    return Long.remainderUnsigned(amount, unit.size);
  }

  /** Sums up negative numbers, whose range is larger by one. */
  private static final class Sum {
    private final String text;
    private final Map<Part, Long> parts = new EnumMap<>(Part.class);
    private @Nullable Unit last;

    Sum(String text) {
      this.text = text;
    }

    void addAll(Matcher groups) {
      for (int i = 0; i < ISO_UNITS.size(); i++) {
        String digits = groups.group(i + 1);
        if (digits != null) {
          add(digits, ISO_UNITS.get(i));
        }
      }
    }

    void add(String digits, Unit unit) {
      if (last != null && unit.compareTo(last) <= 0) {
        throw refused(unit.symbol + " after " + last.symbol, null);
      }
      last = unit;
      try {
        long amount = Math.multiplyExact(Long.parseLong("-" + digits), unit.size);
        parts.merge(unit.part, amount, Math::addExact);
      } catch (ArithmeticException | NumberFormatException e) {
        throw refused(ScalarType.shortened(digits) + unit.symbol + " is too much", e);
      }
    }

    CqlDuration duration(boolean negative) {
      long sign = negative ? 1 : -1;
      try {
        return new CqlDuration(
            Math.toIntExact(sign * parts.getOrDefault(Part.MONTHS, 0L)),
            Math.toIntExact(sign * parts.getOrDefault(Part.DAYS, 0L)),
            Math.multiplyExact(sign, parts.getOrDefault(Part.NANOSECONDS, 0L)));
      } catch (ArithmeticException e) {
        throw refused("it is too long", e);
      }
    }

    IllegalArgumentException refused(String why, @Nullable Throwable cause) {
      return new IllegalArgumentException(
          "'" + ScalarType.shortened(text) + "' is no duration: " + why, cause);
    }
  }
}
