package io.siltstone.tools.compact;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.tools.terminal.UsageException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses the token range of {@code --start-token} and {@code --end-token}, both inclusive, in the
 * form of {@link Partitioner#formatToken}.
 *
 * @param partitioner of the table
 */
record TokenRange(Partitioner partitioner) {
  private static final String START = "--start-token";
  private static final String END = "--end-token";
  private static final String HEX_PREFIX = "0x";

  /**
   * Returns the range.
   *
   * @param start null for the beginning of the ring
   * @param end null for its end
   * @throws UsageException if one of them is not a token, or if they are in the wrong order
   */
  PartitionRange of(@Nullable String start, @Nullable String end) {
    PartitionRange range =
        switch (partitioner) {
          case MURMUR3 -> ofNumbers(start, end);
          case BYTE_ORDERED -> ofKeys(start, end);
        };
    if (range == null) {
      throw new UsageException(
          START
              + " "
              + start
              + " is after "
              + END
              + " "
              + end
              + "; a range that wraps around consists of two, one up to the end token and"
              + " one from the start token on");
    }
    return range;
  }

  private static @Nullable PartitionRange ofNumbers(@Nullable String start, @Nullable String end) {
    long first = start == null ? Long.MIN_VALUE : number(START, start);
    long last = end == null ? Long.MAX_VALUE : number(END, end);
    return first > last ? null : PartitionRange.ofTokens(first, last);
  }

  private static long number(String option, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new UsageException(
          option
              + " '"
              + text
              + "' is not a token of this table, allowed a whole number from "
              + Long.MIN_VALUE
              + " to "
              + Long.MAX_VALUE,
          e);
    }
  }

  private @Nullable PartitionRange ofKeys(@Nullable String start, @Nullable String end) {
    PartitionKey from = start == null ? null : key(bytes(START, start));
    PartitionKey to = null;
    if (end != null) {
      byte[] last = bytes(END, end);
      // The least key that is greater.
      to = key(Arrays.copyOf(last, last.length + 1));
    }
    return from != null && to != null && from.compareTo(to) >= 0
        ? null
        : new PartitionRange(from, to);
  }

  private PartitionKey key(byte[] bytes) {
    return PartitionKey.of(bytes, partitioner.token(bytes, 0, bytes.length));
  }

  private static byte[] bytes(String option, String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    String digits = lower.startsWith(HEX_PREFIX) ? lower.substring(HEX_PREFIX.length()) : lower;
    try {
      return HexFormat.of().parseHex(digits);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          option
              + " '"
              + text
              + "' is not a token of this table, allowed a key in hexadecimal, as its keys"
              + " are byte-ordered",
          e);
    }
  }
}
