package io.siltstone.spark.token;

import java.math.BigInteger;

/**
 * The division of all tokens into ranges of equal size, which are numbered from 0 on. Two tables
 * that are divided into the same number of ranges have the same keys in ranges of the same number.
 *
 * <pre>
 *   4 ranges     0 begins with -2^63, 1 with -2^62, 2 with 0, 3 with 2^62
 * </pre>
 *
 * Immutable.
 *
 * @param count the number of ranges, from 1 on
 */
public record TokenRanges(int count) {
  private static final BigInteger ALL = BigInteger.ONE.shiftLeft(Long.SIZE);

  /** Returns the number of the range that a token belongs to. */
  public int of(long token) {
    // The product of the token's position, an unsigned number, and the count, over 2^64.
    long position = token ^ Long.MIN_VALUE;
    return (int) (Math.multiplyHigh(position, count) + (position >> 63 & count));
  }

  /** Returns the first token of a range. */
  public long first(int range) {
    BigInteger[] quotient =
        BigInteger.valueOf(range).multiply(ALL).divideAndRemainder(BigInteger.valueOf(count));
    long position = quotient[0].longValue() + (quotient[1].signum() == 0 ? 0 : 1);
    return position ^ Long.MIN_VALUE;
  }

  /** Returns the last token of a range. */
  public long last(int range) {
    return range == count - 1 ? Long.MAX_VALUE : first(range + 1) - 1;
  }
}
