package io.siltstone.tools;

import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers of the command line; of what is none it says what is allowed, in words. */
final class NumberConverter<T> implements ITypeConverter<T> {
  static final NumberConverter<Integer> INTEGERS =
      new NumberConverter<>(Integer::valueOf, "a whole number up to " + Integer.MAX_VALUE);
  static final NumberConverter<Long> LONGS =
      new NumberConverter<>(Long::valueOf, "a whole number up to " + Long.MAX_VALUE);
  static final NumberConverter<Double> DOUBLES =
      new NumberConverter<>(Double::valueOf, "a number such as 0.25");

  private final Function<String, T> parse;
  private final String allowed;

  private NumberConverter(Function<String, T> parse, String allowed) {
    this.parse = parse;
    this.allowed = allowed;
  }

  @Override
  public T convert(String text) {
    try {
      return parse.apply(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "', allowed " + allowed);
    }
  }
}
