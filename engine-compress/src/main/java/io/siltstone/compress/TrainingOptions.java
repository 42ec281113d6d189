package io.siltstone.compress;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code ZstdDictionaryCompressor} for the training of dictionaries, with the names,
 * units and defaults of Cassandra 6 ({@code CompressionDictionaryTrainingConfig}).
 *
 * @param maxDictionaryBytes greatest length of a dictionary
 * @param maxSampleBytes greatest length of all samples together
 * @param minMinutes least time between two trainings of a table, in minutes
 */
record TrainingOptions(int maxDictionaryBytes, int maxSampleBytes, int minMinutes) {
  static final String PREFIX = "training_";

  private static final Pattern SIZE = Pattern.compile("(\\d{1,10})(B|KiB|MiB|GiB)");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,10})(d|h|m)");
  private static final int LEAST_DICTIONARY_BYTES = 256;

  /**
   * Reads the options, which are removed from the map.
   *
   * @param problems of wrong values, which are added
   */
  static TrainingOptions of(Map<String, String> options, List<String> problems) {
    return new TrainingOptions(
        bytes(
            options,
            "training_max_dictionary_size",
            64 << 10,
            LEAST_DICTIONARY_BYTES,
            CompressionDictionary.MAX_BYTES,
            problems),
        bytes(
            options,
            "training_max_total_sample_size",
            10 << 20,
            LEAST_DICTIONARY_BYTES,
            Integer.MAX_VALUE,
            problems),
        minutes(options.remove("training_min_frequency"), problems));
  }

  private static int bytes(
      Map<String, String> options,
      String name,
      int usual,
      int least,
      int most,
      List<String> problems) {
    String text = options.remove(name);
    if (text == null) {
      return usual;
    }
    Matcher matcher = SIZE.matcher(text.trim());
    if (matcher.matches()) {
      long unit =
          switch (matcher.group(2)) {
            case "B" -> 1;
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            default -> 1L << 30;
          };
      long bytes = Long.parseLong(matcher.group(1)) * unit;
      if (bytes >= least && bytes <= most) {
        return (int) bytes;
      }
    }
    problems.add(
        name + " = " + text + ", allowed " + least + "B to " + most + "B, also in KiB, MiB, GiB");
    return usual;
  }

  private static int minutes(@Nullable String text, List<String> problems) {
    if (text == null) {
      return 0;
    }
    Matcher matcher = DURATION.matcher(text.trim());
    if (matcher.matches()) {
      long unit =
          switch (matcher.group(2)) {
            case "d" -> 24 * 60;
            case "h" -> 60;
            default -> 1;
          };
      long minutes = Long.parseLong(matcher.group(1)) * unit;
      if (minutes <= Integer.MAX_VALUE) {
        return (int) minutes;
      }
    }
    problems.add("training_min_frequency = " + text + ", allowed e.g. 0m, 1h, 7d");
    return 0;
  }
}
