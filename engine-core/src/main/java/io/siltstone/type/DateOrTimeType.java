package io.siltstone.type;

import java.util.regex.Pattern;

/**
 * The base class of {@code date} and {@code time}: a fixed number of bytes, ordered as unsigned. A
 * literal is a number, or a quoted text.
 */
abstract class DateOrTimeType extends ScalarType {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+");

  private final int size;

  /**
   * @param simpleClassName of Cassandra's class
   * @param size of a value in bytes
   */
  DateOrTimeType(String simpleClassName, String cqlName, int size) {
    super(simpleClassName, cqlName);
    this.size = size;
  }

  static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }

  @Override
  final Quotes quotes() {
    return Quotes.UNLESS_NUMBER;
  }

  @Override
  public final int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  /** Validates the length only; like Cassandra it does not check that a time is within a day. */
  @Override
  public final void validate(byte[] value, int offset, int length) {
    if (length != size) {
      throw wrongLength(length, String.valueOf(size));
    }
  }
}
