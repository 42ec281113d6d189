package io.siltstone.compaction.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The option map of a strategy, read value by value; what is wrong is collected and told at once by
 * {@link #finish}. Confined to one thread.
 */
final class OptionValues {
  // A number, its exponent or a binary one, a prefix, the unit; e.g. 1GiB, 1.5 GB, 3*2^20B.
  // Source: Cassandra FBUtilities.parseHumanReadable.
  private static final Pattern BYTES =
      Pattern.compile(
          "([+-]?\\d+(?:\\.\\d+)?)([eE][+-]?\\d+|\\*2\\^[+-]?\\d+)?\\s*"
              + "(?:([qryzafpnumKMGTPEZYRQ])(i?))?B");

  private static final String BINARY_EXPONENT = "*2^";

  private static final String PREFIXES = "qryzafpnum KMGTPEZYRQ";

  private final String strategy;
  private final Map<String, String> given;
  private final TreeSet<String> known = new TreeSet<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * @param strategy for messages
   * @param given without {@code class}
   */
  OptionValues(String strategy, Map<String, String> given) {
    this.strategy = strategy;
    this.given = given;
  }

  /** Whether the option is there. */
  boolean has(String name) {
    known.add(name);
    return given.containsKey(name);
  }

  private String value(String name) {
    return Objects.requireNonNull(given.get(name));
  }

  /** A whole number. */
  int integer(String name, int normal, int least) {
    return (int) number(name, normal, least, Integer.MAX_VALUE);
  }

  /** A whole number. */
  long number(String name, long normal, long least, long greatest) {
    if (!has(name)) {
      return normal;
    }
    try {
      long value = Long.parseLong(value(name));
      if (value >= least && value <= greatest) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, as any other wrong value.
    }
    wrong(
        name,
        greatest >= Integer.MAX_VALUE
            ? "a whole number from " + least
            : "a whole number from " + least + " to " + greatest);
    return normal;
  }

  /** A whole number of seconds, however large, in milliseconds. */
  long secondsInMillis(String name, long normal, long least) {
    return TimeUnit.SECONDS.toMillis(number(name, normal, least, Long.MAX_VALUE));
  }

  /** A number that may have a fraction, or be infinite. */
  double real(String name, double normal, double least) {
    if (!has(name)) {
      return normal;
    }
    try {
      double value = Double.parseDouble(value(name));
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, as any other wrong value.
    }
    wrong(name, least == -Double.MAX_VALUE ? "a number" : "a number from " + least);
    return normal;
  }

  /** A number from 0 to 1, or as many percent. */
  double share(String name, double normal) {
    if (!has(name)) {
      return normal;
    }
    String text = value(name).trim();
    boolean isPercent = text.endsWith("%");
    try {
      double value =
          Double.parseDouble(isPercent ? text.substring(0, text.length() - 1).trim() : text)
              / (isPercent ? 100 : 1);
      if (value >= 0 && value <= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, as any other wrong value.
    }
    wrong(name, "0 to 1, or 0 % to 100 %");
    return normal;
  }

  /** {@code true} or {@code false}. */
  boolean flag(String name, boolean normal) {
    if (!has(name)) {
      return normal;
    }
    String text = value(name);
    if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
      wrong(name, "true, false");
      return normal;
    }
    return Boolean.parseBoolean(text);
  }

  /** A whole number without a sign, as Cassandra wants it of the thresholds. */
  int unsigned(String name, int normal, int least) {
    if (has(name) && value(name).startsWith("+")) {
      wrong(name, "a whole number from " + least + ", without a sign");
      return normal;
    }
    return integer(name, normal, least);
  }

  /** A name of an enum, whatever its case. */
  <E extends Enum<E>> E choiceOfAnyCase(String name, Class<E> type, E normal) {
    return choice(name, type, normal, text(name, "").toUpperCase(Locale.ROOT));
  }

  /** A name of an enum, as it is written. */
  <E extends Enum<E>> E choice(String name, Class<E> type, E normal) {
    return choice(name, type, normal, text(name, ""));
  }

  private <E extends Enum<E>> E choice(String name, Class<E> type, E normal, String text) {
    if (!has(name)) {
      return normal;
    }
    try {
      return Enum.valueOf(type, text);
    } catch (IllegalArgumentException e) {
      wrong(
          name,
          Arrays.stream(type.getEnumConstants()).map(E::name).collect(Collectors.joining(", ")));
      return normal;
    }
  }

  /** A size with a unit, e.g. {@code 1GiB}, {@code 1.5 GB}, {@code 1048576B}. */
  double bytes(String name, double normal, double least, String allowed) {
    if (!has(name)) {
      return normal;
    }
    double value = parseBytes(value(name));
    if (value >= least && value < Long.MAX_VALUE) {
      return value;
    }
    wrong(name, allowed);
    return normal;
  }

  private static double parseBytes(String text) {
    Matcher matcher = BYTES.matcher(text);
    if (!matcher.matches()) {
      return Double.NaN;
    }
    try {
      String exponent = matcher.group(2) == null ? "" : matcher.group(2);
      boolean isBinary = exponent.startsWith(BINARY_EXPONENT);
      double value = Double.parseDouble(matcher.group(1) + (isBinary ? "" : exponent));
      if (isBinary) {
        value = Math.scalb(value, Integer.parseInt(exponent.substring(BINARY_EXPONENT.length())));
      }
      if (matcher.group(3) == null) {
        return value;
      }
      int prefix = PREFIXES.indexOf(matcher.group(3)) - PREFIXES.indexOf(' ');
      return matcher.group(4).isEmpty()
          ? value * Math.pow(1000, prefix)
          : Math.scalb(value, 10 * prefix);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** The text as it is given. */
  String text(String name, String normal) {
    return has(name) ? value(name) : normal;
  }

  /** {@code true} or {@code false}, without an effect here. */
  void ignore(String name) {
    flag(name, false);
  }

  /** Remembers that the value of an option is not allowed. */
  void wrong(String name, String allowed) {
    problems.add(name + " = " + given.get(name) + ", allowed " + allowed);
  }

  /**
   * To be called when everything is read.
   *
   * @throws IllegalArgumentException naming every option that is not known or has a bad value
   */
  void finish() {
    given.forEach(
        (name, value) -> {
          if (!known.contains(name)) {
            problems.add(
                "unknown option " + name + " = " + value + ", allowed " + String.join(", ", known));
          }
        });
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "compaction with " + strategy + ": " + String.join("; ", problems));
    }
  }
}
