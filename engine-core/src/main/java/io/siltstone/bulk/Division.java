package io.siltstone.bulk;

import java.util.Arrays;
import java.util.List;

/**
 * The division of the output of a load into SSTables: at tokens, and by size. Immutable.
 *
 * @param ends tokens in ascending order, after each of which another SSTable begins
 * @param maxBytes the size of an SSTable before compression after which the next partition begins
 *     another one
 */
public record Division(List<Long> ends, long maxBytes) {
  /** No division: one SSTable. */
  public static final Division NONE = new Division(List.of(), Long.MAX_VALUE);

  /** Sorts the tokens. */
  public Division {
    ends = ends.stream().sorted().distinct().toList();
  }

  /** Finds the range of a token, of which there is one more than there are ends. */
  static final class Ranges {
    private final long[] ends;
    // The number of changes of each range.
    private final long[] counts;
    private long total;

    Ranges(Division division) {
      ends = division.ends().stream().mapToLong(Long::longValue).toArray();
      counts = new long[ends.length + 1];
    }

    /** Returns the index of the range of a token. */
    int of(long token) {
      int found = Arrays.binarySearch(ends, token);
      return found >= 0 ? found : -found - 1;
    }

    /** Counts a change of a partition. */
    void count(long token) {
      if (ends.length > 0) {
        counts[of(token)]++;
        total++;
      }
    }

    /** Returns the part of all changes that a range has, from 0 to 1. */
    double share(int range) {
      return total == 0 ? 1 : (double) counts[range] / total;
    }
  }
}
