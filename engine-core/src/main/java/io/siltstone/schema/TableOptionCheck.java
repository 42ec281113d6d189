package io.siltstone.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the values of table options against the ranges that Cassandra allows. */
final class TableOptionCheck {
  private final TableOptionValues values;

  TableOptionCheck(TableOptionValues values) {
    this.values = values;
  }

  /** Returns a sentence for each wrong value: the option, its value and what is allowed. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    Double chance = values.bloomFilterFpChance;
    if (chance != null && !(chance > TableOptions.MIN_BLOOM_FILTER_FP_CHANCE && chance <= 1)) {
      problems.add(
          "bloom_filter_fp_chance = "
              + chance
              + ", allowed more than "
              + TableOptions.MIN_BLOOM_FILTER_FP_CHANCE
              + ", to 1.0");
    }
    if (!(values.crcCheckChance >= 0 && values.crcCheckChance <= 1)) {
      problems.add("crc_check_chance = " + values.crcCheckChance + ", allowed 0.0 to 1.0");
    }
    range(
        problems,
        "default_time_to_live",
        values.defaultTimeToLive,
        0,
        TableOptions.MAX_TIME_TO_LIVE);
    range(problems, "gc_grace_seconds", values.gcGraceSeconds, 0, Integer.MAX_VALUE);
    range(problems, "min_index_interval", values.minIndexInterval, 1, Integer.MAX_VALUE);
    if (values.minIndexInterval >= 1) {
      range(
          problems,
          "max_index_interval",
          values.maxIndexInterval,
          values.minIndexInterval,
          Integer.MAX_VALUE);
    }
    range(
        problems,
        "memtable_flush_period_in_ms",
        values.memtableFlushPeriodInMs,
        0,
        Integer.MAX_VALUE);
    retry(problems, "speculative_retry", values.speculativeRetry);
    retry(problems, "additional_write_policy", values.additionalWritePolicy);
    if (!values.readRepair.equalsIgnoreCase("BLOCKING")
        && !values.readRepair.equalsIgnoreCase("NONE")) {
      problems.add("read_repair = " + values.readRepair + ", allowed BLOCKING, NONE");
    }
    if (values.memtable.isEmpty()) {
      problems.add("memtable is empty, allowed the name of a configuration");
    }
    values.extensions.forEach(
        (name, digits) -> {
          if (name.equals(TableOptionValues.DURABLE_WRITES)) {
            problems.add(
                "extensions: "
                    + name
                    + " = 0x"
                    + digits
                    + ", allowed 0x00 for false, 0x01 for true");
          }
          if (digits.length() % 2 != 0 || !digits.matches("[0-9a-f]*")) {
            problems.add(
                "extensions: " + name + " = " + digits + ", allowed pairs of digits 0-9, a-f");
          }
        });
    compactionProblems(problems);
    return problems;
  }

  private void compactionProblems(List<String> problems) {
    if (!values.compaction.containsKey("class")) {
      problems.add("compaction: class is missing, allowed " + TableOptions.COMPACTION_STRATEGIES);
    } else if (strategy().isEmpty()) {
      problems.add(
          "compaction: class = "
              + values.compaction.get("class")
              + ", allowed "
              + String.join(", ", TableOptions.COMPACTION_STRATEGIES));
    }
    int min = threshold(problems, "min_threshold", 2, 4);
    int max = threshold(problems, "max_threshold", 1, 32);
    if (min > max) {
      problems.add("compaction: min_threshold = " + min + ", allowed up to max_threshold = " + max);
    }
  }

  private int threshold(List<String> problems, String name, int least, int normal) {
    String text = values.compaction.get(name);
    if (text == null) {
      return normal;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, as any other wrong value.
    }
    problems.add("compaction: " + name + " = " + text + ", allowed a number from " + least);
    return normal;
  }

  /** Returns the simple name of the compaction class, if it is one of those known. */
  private Optional<String> strategy() {
    String name = values.compaction.getOrDefault("class", "");
    String simple =
        name.startsWith(TableOptions.COMPACTION_PACKAGE)
            ? name.substring(TableOptions.COMPACTION_PACKAGE.length())
            : name;
    return TableOptions.COMPACTION_STRATEGIES.stream().filter(simple::equals).findFirst();
  }

  private static void range(List<String> problems, String name, int value, int min, int max) {
    if (value < min || value > max) {
      problems.add(name + " = " + value + ", allowed " + min + " to " + max);
    }
  }

  private static void retry(List<String> problems, String name, String value) {
    if (RetryPolicy.canonical(value).isEmpty()) {
      problems.add(name + " = " + value + ", allowed " + RetryPolicy.ALLOWED);
    }
  }
}
