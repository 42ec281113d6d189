package io.siltstone.schema;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of {@code speculative_retry} and {@code additional_write_policy}. The engine does not
 * use them; a schema keeps them for Cassandra. Source: Cassandra {@code SpeculativeRetryPolicy}.
 */
final class RetryPolicy {
  static final String ALLOWED =
      "ALWAYS, NEVER, a percentile such as 99p, a time such as 50ms, MIN(99p,50ms), MAX(99p,50ms)";

  private static final Pattern HYBRID =
      Pattern.compile("(MIN|MAX)\\(([0-9.]+[A-Z]+)\\s*,\\s*([0-9.]+[A-Z]+)\\)");
  private static final Pattern SINGLE =
      Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{0,9})?|\\.[0-9]{1,9})(P|PERCENTILE|MS)");

  private RetryPolicy() {}

  /** Returns a policy in the form that Cassandra writes; empty if it is invalid. */
  static Optional<String> canonical(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    if (upper.equals("ALWAYS")) {
      return Optional.of(upper);
    }
    if (upper.equals("NEVER") || upper.equals("NONE")) {
      return Optional.of("NEVER");
    }
    Matcher hybrid = HYBRID.matcher(upper);
    if (!hybrid.matches()) {
      return single(upper);
    }
    Optional<String> first = single(hybrid.group(2));
    Optional<String> second = single(hybrid.group(3));
    if (first.isEmpty()
        || second.isEmpty()
        || first.get().endsWith("p") == second.get().endsWith("p")) {
      return Optional.empty();
    }
    String percentile = first.get().endsWith("p") ? first.get() : second.get();
    String time = first.get().endsWith("p") ? second.get() : first.get();
    return Optional.of(hybrid.group(1) + "(" + percentile + "," + time + ")");
  }

  private static Optional<String> single(String upper) {
    Matcher matcher = SINGLE.matcher(upper);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    BigDecimal value = new BigDecimal(matcher.group(1));
    if (matcher.group(2).equals("MS")) {
      // Cassandra accepts a fraction and drops it.
      return Optional.of(value.toBigInteger() + "ms");
    }
    if (value.signum() <= 0 || value.compareTo(BigDecimal.valueOf(100)) >= 0) {
      return Optional.empty();
    }
    return Optional.of(value.stripTrailingZeros().toPlainString() + "p");
  }
}
