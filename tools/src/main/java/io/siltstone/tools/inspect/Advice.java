package io.siltstone.tools.inspect;

import java.util.List;

/**
 * A recommendation on one subject.
 *
 * @param subject {@code chunk length}, {@code compression}, {@code strategy} or {@code tombstones}
 * @param rule name of the rule that it follows from
 * @param isChange false if the present options should be kept
 * @param what the recommendation, in one sentence
 * @param reason for it, with figures
 * @param expected its effects, figure by figure
 * @param statement the CQL statement, or empty
 * @param command to be run afterwards, or empty
 */
record Advice(
    String subject,
    String rule,
    boolean isChange,
    String what,
    String reason,
    List<Effect> expected,
    String statement,
    String command) {
  Advice {
    expected = List.copyOf(expected);
  }

  /** Returns the recommendation to keep the present options. */
  static Advice keep(String subject, String rule, String reason) {
    return new Advice(subject, rule, false, "keep what you have", reason, List.of(), "", "");
  }

  /** Returns the same recommendation with another reason. */
  Advice withReason(String other) {
    return new Advice(subject, rule, isChange, what, other, expected, statement, command);
  }

  /**
   * A figure now and after the change.
   *
   * @param name with its unit, e.g. {@code bytes_from_disk_per_read}
   */
  record Effect(String name, double now, double then) {}
}
