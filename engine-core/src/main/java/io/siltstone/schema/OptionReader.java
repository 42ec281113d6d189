package io.siltstone.schema;

import io.siltstone.compress.CompressionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Parses the table options after {@code WITH}. Errors are collected and reported together. Source:
 * Cassandra {@code TableAttributes}.
 */
final class OptionReader {
  /** All names of options, for the message that a name is unknown. */
  static final List<String> KNOWN =
      List.of(
          "id",
          "additional_write_policy",
          "allow_auto_snapshot",
          "auto_repair",
          "bloom_filter_fp_chance",
          "caching",
          "cdc",
          "comment",
          "compaction",
          "compression",
          "crc_check_chance",
          "default_time_to_live",
          "durable_writes",
          "extensions",
          "gc_grace_seconds",
          "incremental_backups",
          "max_index_interval",
          "memtable",
          "memtable_flush_period_in_ms",
          "min_index_interval",
          "read_repair",
          "speculative_retry");

  /**
   * Options whose values may be classes and policies of other versions or of users; they are not
   * needed to read files.
   */
  static final List<String> DISPENSABLE =
      List.of(
          "additional_write_policy",
          "caching",
          "compaction",
          "compression",
          "memtable",
          "read_repair",
          "speculative_retry");

  private final TableOptions.Builder options;
  private final List<String> problems = new ArrayList<>();

  OptionReader(TableOptions.Builder options) {
    this.options = options;
  }

  /** Returns all errors so far, including values out of range. */
  List<String> problems() {
    List<String> all = new ArrayList<>(problems);
    all.addAll(options.problems());
    return all;
  }

  /** Sets an option whose value is a constant. */
  void text(String name, String value) {
    switch (name) {
      case "additional_write_policy" -> options.additionalWritePolicy(value);
      case "allow_auto_snapshot" -> options.allowAutoSnapshot(bool(name, value));
      case "bloom_filter_fp_chance" -> number(name, value).ifPresent(options::bloomFilterFpChance);
      case "cdc" -> options.cdc(bool(name, value));
      case "comment" -> options.comment(value);
      case "crc_check_chance" -> number(name, value).ifPresent(options::crcCheckChance);
      case "default_time_to_live" -> integer(name, value).ifPresent(options::defaultTimeToLive);
      case "durable_writes" -> options.durableWrites(bool(name, value));
      case "gc_grace_seconds" -> integer(name, value).ifPresent(options::gcGraceSeconds);
      case "incremental_backups" -> options.incrementalBackups(bool(name, value));
      case "max_index_interval" -> integer(name, value).ifPresent(options::maxIndexInterval);
      case "memtable" -> options.memtable(value);
      case "memtable_flush_period_in_ms" ->
          integer(name, value).ifPresent(options::memtableFlushPeriodInMs);
      case "min_index_interval" -> integer(name, value).ifPresent(options::minIndexInterval);
      case "read_repair" -> options.readRepair(value);
      case "speculative_retry" -> options.speculativeRetry(value);
      default -> problems.add(name + " = " + value + ", allowed a map such as {'key': 'value'}");
    }
  }

  /** Sets an option whose value is a map. */
  void map(String name, Map<String, String> value) {
    switch (name) {
      case "auto_repair" -> options.autoRepair(value);
      case "caching" -> options.caching(Caching.fromMap(value, problems));
      case "compaction" -> options.compaction(value);
      case "compression" -> compression(value);
      case "extensions" -> extensions(value);
      default -> problems.add(name + " = " + value + ", allowed a constant, not a map");
    }
  }

  private void compression(Map<String, String> value) {
    try {
      options.compression(CompressionOptions.fromMap(value));
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      // The compressor's library is missing.
      problems.add("compression: " + e.getMessage());
    }
  }

  private void extensions(Map<String, String> value) {
    Map<String, String> digits = new TreeMap<>();
    value.forEach(
        (name, blob) -> {
          String lower = blob.toLowerCase(Locale.ROOT);
          digits.put(name, lower.startsWith("0x") ? lower.substring(2) : lower);
        });
    options.extensions(digits);
  }

  private boolean bool(String name, String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "1", "true", "yes" -> true;
      case "0", "false", "no" -> false;
      default -> {
        problems.add(name + " = " + value + ", allowed true, false");
        yield false;
      }
    };
  }

  private OptionalInt integer(String name, String value) {
    try {
      return OptionalInt.of(Integer.parseInt(value));
    } catch (NumberFormatException e) {
      problems.add(name + " = " + value + ", allowed an integer of 32 bits");
      return OptionalInt.empty();
    }
  }

  private OptionalDouble number(String name, String value) {
    try {
      return OptionalDouble.of(Double.parseDouble(value));
    } catch (NumberFormatException e) {
      problems.add(name + " = " + value + ", allowed a number");
      return OptionalDouble.empty();
    }
  }

  /** Reports an unknown option, with all known ones and the most similar one. */
  static String unknown(String name) {
    StringBuilder text = new StringBuilder("unknown option ").append(name);
    String nearest = "";
    int least = 4;
    for (String known : KNOWN) {
      int distance = distance(name, known);
      if (distance < least && distance < known.length()) {
        least = distance;
        nearest = known;
      }
    }
    if (!nearest.isEmpty()) {
      text.append(", did you mean ").append(nearest).append('?');
    }
    return text.append(" Known are ").append(String.join(", ", KNOWN)).toString();
  }

  /** Returns the Levenshtein distance. */
  private static int distance(String a, String b) {
    if (Math.abs(a.length() - b.length()) > 3) {
      return Integer.MAX_VALUE;
    }
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
