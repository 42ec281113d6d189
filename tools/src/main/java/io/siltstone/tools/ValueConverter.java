package io.siltstone.tools;

import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses numbers and flags of the command line. The error for a wrong value says what is allowed.
 */
final class ValueConverter<T> implements ITypeConverter<T> {
  static final ValueConverter<Integer> INTEGERS =
      new ValueConverter<>(Integer::valueOf, "a whole number up to " + Integer.MAX_VALUE);
  static final ValueConverter<Long> LONGS =
      new ValueConverter<>(Long::valueOf, "a whole number up to " + Long.MAX_VALUE);
  static final ValueConverter<Double> DOUBLES =
      new ValueConverter<>(ValueConverter::parseDouble, "a number such as 0.25");
  static final ValueConverter<Boolean> FLAGS =
      new ValueConverter<>(ValueConverter::parseFlag, "true or false");

  /** Java parses 1d as a number, although here it would mean a day. */
  private static final Pattern SUFFIXED = Pattern.compile(".*[\\d.][dDfF]");

  private final Function<String, T> parse;
  private final String allowed;

  /**
   * @param parse throws an {@link IllegalArgumentException} for a value that is not allowed
   */
  private ValueConverter(Function<String, T> parse, String allowed) {
    this.parse = parse;
    this.allowed = allowed;
  }

  @Override
  public T convert(String text) {
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "', allowed " + allowed);
    }
  }

  private static Double parseDouble(String text) {
    if (SUFFIXED.matcher(text).matches()) {
      throw new IllegalArgumentException(text);
    }
    return Double.valueOf(text);
  }

  private static Boolean parseFlag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }
}
