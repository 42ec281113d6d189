package io.siltstone.tools.inspect;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.LiveTable;
import java.util.List;

/**
 * Maps tokens to a scale. It extends over all tokens if keys are spread evenly, and over the
 * table's tokens if tokens follow the order of the keys.
 *
 * @param least leftmost token
 * @param greatest rightmost token
 */
record TokenScale(long least, long greatest) {
  static TokenScale of(Partitioner partitioner, List<LiveTable> tables) {
    if (partitioner == Partitioner.MURMUR3 || tables.isEmpty()) {
      return new TokenScale(Long.MIN_VALUE, Long.MAX_VALUE);
    }
    return new TokenScale(
        tables.stream().mapToLong(each -> each.firstKey().token()).min().orElseThrow(),
        tables.stream().mapToLong(each -> each.lastKey().token()).max().orElseThrow());
  }

  /** Returns the position of a token, 0 to 1. */
  double share(long token) {
    double width = (double) greatest - (double) least;
    double share = width == 0 ? 0 : ((double) token - (double) least) / width;
    return Math.min(1, Math.max(0, share));
  }
}
