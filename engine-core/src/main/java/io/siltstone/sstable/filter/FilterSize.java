package io.siltstone.sstable.filter;

/**
 * The size of a bloom filter by its false positive chance, {@code bloom_filter_fp_chance}: bits per
 * key, and hashes.
 *
 * <p>It must agree with Cassandra to the bit; otherwise Cassandra's filters and ours would differ.
 * Source: Cassandra {@code BloomCalculations}, {@code FilterFactory}.
 *
 * @param hashes bits set per key, 1 or more
 * @param bitsPerKey 1 to 20
 */
record FilterSize(int hashes, int bitsPerKey) {
  /** The number of bits of every filter beyond those for its keys. */
  private static final int EXCESS_BITS = 20;

  // Row: bits per key. Column: hashes. Value: share of false positives. The first two rows and the
  // first column are not used.
  private static final double[][] FALSE_POSITIVES = {
    {1.0},
    {1.0, 1.0},
    {1.0, 0.393, 0.400},
    {1.0, 0.283, 0.237, 0.253},
    {1.0, 0.221, 0.155, 0.147, 0.160},
    {1.0, 0.181, 0.109, 0.092, 0.092, 0.101},
    {1.0, 0.154, 0.0804, 0.0609, 0.0561, 0.0578, 0.0638},
    {1.0, 0.133, 0.0618, 0.0423, 0.0359, 0.0347, 0.0364},
    {1.0, 0.118, 0.0489, 0.0306, 0.024, 0.0217, 0.0216, 0.0229},
    {1.0, 0.105, 0.0397, 0.0228, 0.0166, 0.0141, 0.0133, 0.0135, 0.0145},
    {1.0, 0.0952, 0.0329, 0.0174, 0.0118, 0.00943, 0.00844, 0.00819, 0.00846},
    {1.0, 0.0869, 0.0276, 0.0136, 0.00864, 0.0065, 0.00552, 0.00513, 0.00509},
    {1.0, 0.08, 0.0236, 0.0108, 0.00646, 0.00459, 0.00371, 0.00329, 0.00314},
    {1.0, 0.074, 0.0203, 0.00875, 0.00492, 0.00332, 0.00255, 0.00217, 0.00199, 0.00194},
    {1.0, 0.0689, 0.0177, 0.00718, 0.00381, 0.00244, 0.00179, 0.00146, 0.00129, 0.00121, 0.0012},
    {1.0, 0.0645, 0.0156, 0.00596, 0.003, 0.00183, 0.00128, 0.001, 0.000852, 0.000775, 0.000744},
    {
      1.0, 0.0606, 0.0138, 0.005, 0.00239, 0.00139, 0.000935, 0.000702, 0.000574, 0.000505, 0.00047,
      0.000459
    },
    {
      1.0, 0.0571, 0.0123, 0.00423, 0.00193, 0.00107, 0.000692, 0.000499, 0.000394, 0.000335,
      0.000302, 0.000287, 0.000284
    },
    {
      1.0, 0.054, 0.0111, 0.00362, 0.00158, 0.000839, 0.000519, 0.00036, 0.000275, 0.000226,
      0.000198, 0.000183, 0.000176
    },
    {
      1.0, 0.0513, 0.00998, 0.00312, 0.0013, 0.000663, 0.000394, 0.000264, 0.000194, 0.000155,
      0.000132, 0.000118, 0.000111, 0.000109
    },
    {
      1.0, 0.0488, 0.00906, 0.0027, 0.00108, 0.00053, 0.000303, 0.000196, 0.00014, 0.000108,
      8.89e-05, 7.77e-05, 7.12e-05, 6.79e-05, 6.71e-05
    }
  };

  private static final int MAX_BITS_PER_KEY = FALSE_POSITIVES.length - 1;

  /** The least share of false positives for which there is a size. */
  static final double MIN_FALSE_POSITIVES =
      FALSE_POSITIVES[MAX_BITS_PER_KEY][FALSE_POSITIVES[MAX_BITS_PER_KEY].length - 1];

  /**
   * Returns the smallest sufficient size.
   *
   * @param falsePositives accepted share, from {@link #MIN_FALSE_POSITIVES} to below 1
   * @throws IllegalArgumentException if it is out of this range
   */
  static FilterSize of(double falsePositives) {
    if (!(falsePositives >= MIN_FALSE_POSITIVES && falsePositives < 1)) {
      throw new IllegalArgumentException(
          "bloom_filter_fp_chance "
              + falsePositives
              + ", allowed "
              + MIN_FALSE_POSITIVES
              + " to 1; 1 means no filter");
    }
    if (falsePositives >= FALSE_POSITIVES[2][1]) {
      // Cassandra exchanges the two numbers here, so that there are two hashes on one bit per key.
      // Its filters have to be matched.
      return new FilterSize(2, 1);
    }
    int bits = 2;
    while (FALSE_POSITIVES[bits][bestHashes(bits)] > falsePositives) {
      bits++;
    }
    int hashes = bestHashes(bits);
    while (FALSE_POSITIVES[bits][hashes - 1] <= falsePositives) {
      hashes--;
    }
    return new FilterSize(hashes, bits);
  }

  private static int bestHashes(int bits) {
    double[] row = FALSE_POSITIVES[bits];
    int best = 1;
    for (int i = 2; i < row.length; i++) {
      if (row[i] < row[best]) {
        best = i;
      }
    }
    return best;
  }

  /**
   * Returns the number of 64-bit words for a number of keys.
   *
   * @throws IllegalArgumentException if the format cannot express it
   */
  int words(long keys) {
    if (keys < 0 || keys > (Integer.MAX_VALUE * 64L - EXCESS_BITS) / bitsPerKey) {
      throw new IllegalArgumentException(
          "bloom filter for "
              + keys
              + " keys at "
              + bitsPerKey
              + " bits each, allowed 16 GiB; a greater bloom_filter_fp_chance takes fewer bits");
    }
    return (int) ((keys * bitsPerKey + EXCESS_BITS - 1) / 64 + 1);
  }
}
