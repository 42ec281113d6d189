package io.siltstone.bench.stress;

import io.siltstone.bench.workload.ProfileOptions;
import io.siltstone.bench.workload.WorkloadOptions;
import java.util.Locale;

/** Describes a stress run in words. */
public final class StressText {
  private static final int PERCENT = 100;

  private StressText() {}

  /** Returns the profile and its options, in one line. */
  public static String headline(StressOptions options) {
    ProfileOptions profile = options.profile().options();
    WorkloadOptions load = options.load();
    StringBuilder text = new StringBuilder(options.profile().name());
    text.append(": ").append(count(profile.partitions().orElseThrow())).append(" partitions");
    profile.rows().ifPresent(rows -> text.append(" of ").append(count(rows)).append(" rows"));
    text.append(", values ").append(profile.value());
    profile.limit().ifPresent(limit -> text.append(", ").append(limit).append(" rows per read"));
    text.append("; ").append(load.threads()).append(load.threads() == 1 ? " thread" : " threads");
    text.append(", ").append(Math.round(load.readRate() * PERCENT)).append(" % reads, ");
    text.append(load.distribution());
    if (load.opsPerSecond() > 0) {
      text.append(", ").append(count((long) load.opsPerSecond())).append(" operations/s requested");
    }
    return text.toString();
  }

  static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
