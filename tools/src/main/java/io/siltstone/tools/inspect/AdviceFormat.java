package io.siltstone.tools.inspect;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats reasons and statements of advice. */
final class AdviceFormat {
  private AdviceFormat() {}

  static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /** Returns how the table is used. */
  static String use(TableFacts facts) {
    TableTraffic of = facts.traffic();
    return of == null
        ? "it is not known how the table is used"
        : text(
            "%d reads and %d scans against %d writes, %.2f chunks from files per read",
            of.reads(), of.scans(), of.writes(), of.chunksPerRead());
  }

  /** Returns the statement that sets an option of the table. */
  static String alter(TableFacts facts, String option) {
    return "ALTER TABLE " + facts.schema().cqlName() + " WITH " + option + ";";
  }

  /** Returns a map in CQL. */
  static String map(Map<String, String> options) {
    return options.entrySet().stream()
        .map(each -> "'" + each.getKey() + "': '" + each.getValue() + "'")
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
