package io.siltstone.tools.inspect;

import java.util.List;

/**
 * What to do about one thing.
 *
 * @param subject {@code chunk length}, {@code compression}, {@code strategy} or {@code tombstones}
 * @param rule name of the rule that it follows from
 * @param isChange false if it is to keep what there is
 * @param what to do, in one sentence
 * @param reason why, with the figures that it follows from
 * @param expected what it would change, figure by figure
 * @param statement in CQL, or empty
 * @param command to be run then, or empty
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

  /** To keep what there is. */
  static Advice keep(String subject, String rule, String reason) {
    return new Advice(subject, rule, false, "keep what you have", reason, List.of(), "", "");
  }

  /** The same for another reason. */
  Advice withReason(String other) {
    return new Advice(subject, rule, isChange, what, other, expected, statement, command);
  }

  /**
   * A figure now and then.
   *
   * @param name with its unit, e.g. {@code bytes_from_disk_per_read}
   */
  record Effect(String name, double now, double then) {}
}
