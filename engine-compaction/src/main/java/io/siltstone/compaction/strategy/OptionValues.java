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
 * Reads the option map of a strategy value by value, and collects what is wrong, so that {@link
 * #finish} reports all of it together. Confined to one thread.
 */
final class OptionValues {
  // A number, its decimal or binary exponent, a prefix and the unit; e.g. 1GiB, 1.5 GB, 3*2^20B.
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
   * @param strategy the name of the strategy, for messages
   * @param given the options without {@code class}
   */
  OptionValues(String strategy, Map<String, String> given) {
    this.strategy = strategy;
    this.given = given;
  }

  /** Returns whether the option is given. */
  boolean has(String name) {
    known.add(name);
    return given.containsKey(name);
  }

  private String value(String name) {
    return Objects.requireNonNull(given.get(name));
  }

  /** Reads a whole number. */
  int integer(String name, int normal, int least) {
    return (int) number(name, normal, least, Integer.MAX_VALUE);
  }

  /** Reads a whole number. */
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
      // Reported below, as any other wrong value.
    }
    wrong(
        name,
        greatest >= Integer.MAX_VALUE
            ? "a whole number from " + least
            : "a whole number from " + least + " to " + greatest);
    return normal;
  }

  /** Reads a whole number of seconds, however large, and returns milliseconds. */
  long secondsInMillis(String name, long normal, long least) {
    return TimeUnit.SECONDS.toMillis(number(name, normal, least, Long.MAX_VALUE));
  }

  /** Reads a number that may have a fraction, or be infinite. */
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
      // Reported below, as any other wrong value.
    }
    wrong(name, least == -Double.MAX_VALUE ? "a number" : "a number from " + least);
    return normal;
  }

  /** Reads a number from 0 to 1, or a percentage. */
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
      // Reported below, as any other wrong value.
    }
    wrong(name, "0 to 1, or 0 % to 100 %");
    return normal;
  }

  /** Reads {@code true} or {@code false}. */
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

  /** Reads a whole number without a plus sign, which Cassandra refuses for the thresholds. */
  int unsigned(String name, int normal, int least) {
    if (has(name) && value(name).startsWith("+")) {
      wrong(name, "a whole number from " + least + ", without a sign");
      return normal;
    }
    return integer(name, normal, least);
  }

  /** Reads a name of an enum in any case. */
  <E extends Enum<E>> E choiceOfAnyCase(String name, Class<E> type, E normal) {
    return choice(name, type, normal, text(name, "").toUpperCase(Locale.ROOT));
  }

  /** Reads a name of an enum in its exact case. */
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

  /** Reads a size with a unit, e.g. {@code 1GiB}, {@code 1.5 GB}, {@code 1048576B}. */
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

  /** Returns the text as given. */
  String text(String name, String normal) {
    return has(name) ? value(name) : normal;
  }

  /** Checks an option, {@code true} or {@code false}, that has no effect here. */
  void ignore(String name) {
    flag(name, false);
  }

  /** Records that the value of an option is not allowed. */
  void wrong(String name, String allowed) {
    problems.add(name + " = " + given.get(name) + ", allowed " + allowed);
  }

  /**
   * Must be called after all options were read.
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
