package io.siltstone.tools.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.Siltstone;
import io.siltstone.tools.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SimulateCommandTest {

  private record Ran(int code, String out, String err) {}

  private static Ran simulate(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    List<String> all = new ArrayList<>(List.of("simulate"));
    all.addAll(List.of(args));
    int code = Siltstone.run(all.toArray(String[]::new), out, err);
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void showsWhatBecomesOfTheTableOverTime() {
    Ran run = simulate("--strategy", "SizeTiered", "--ingest", "32GiB", "--points", "4");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.err()).isEmpty();
    List<String> lines = run.out().lines().toList();
    assertThat(lines.get(0)).isEqualTo("SizeTiered");
    assertThat(lines.get(1)).contains("time", "ingested", "write amp", "filters/read");
    // Four points, and the state at rest.
    assertThat(lines.get(2)).contains("8.0 GiB");
    assertThat(lines.get(5)).contains("32.0 GiB").startsWith("  27m 18s");
    assertThat(lines.get(6)).startsWith("  at rest");
    // 64 flushes are merged three times; the last merge runs after all data was written.
    assertThat(lines.get(6)).contains(" 4.00 ");
    assertThat(lines.get(7)).isEqualTo("  up to 64 GiB: 1 table, 32.0 GiB");
    assertThat(lines.get(8)).startsWith("  32.0 GiB in 27m 18s: each byte was written ");
  }

  /** The rows of the simulated load arrive in the order of their events. */
  @Test
  void windowsOfEventsAreThoseOfWrites() {
    String[] byWrites = {
      "--strategy", "TimeWindow", "--option", "compaction_window_unit=MINUTES", "--ingest", "8GiB"
    };
    List<String> byEvents = new ArrayList<>(List.of(byWrites));
    byEvents.addAll(4, List.of("--option", "compaction_window_time=EVENT"));
    Ran events = simulate(byEvents.toArray(String[]::new));

    assertThat(events.code()).as(events.err()).isEqualTo(ExitCode.OK);
    assertThat(events.out().lines().skip(1).toList())
        .isEqualTo(simulate(byWrites).out().lines().skip(1).toList());
  }

  @Test
  void strategiesAreComparedEachWithItsOptions() {
    Ran run =
        simulate(
            "--strategy",
            "unified",
            "--option",
            "scaling_parameters=L4",
            "--strategy",
            "LeveledCompactionStrategy",
            "--option",
            "sstable_size_in_mb=64",
            "--option",
            "fanout_size=5",
            "--ingest",
            "16GiB",
            "--overwrite",
            "0.5",
            "--compaction-throughput",
            "0");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    List<String> lines = run.out().lines().toList();
    assertThat(lines).contains("Unified {scaling_parameters=L4}");
    assertThat(lines).contains("Leveled {fanout_size=5, sstable_size_in_mb=64}");
    assertThat(lines.get(lines.size() - 3)).startsWith("  strategy ").contains("most debt");
    assertThat(lines.get(lines.size() - 2)).startsWith("  Unified {scaling_parameters=L4} ");
    assertThat(lines.get(lines.size() - 1)).startsWith("  Leveled {fanout_size=5, ");
    assertThat(run.out()).contains("compaction kept up.");
  }

  @Test
  void aStrategyThatIsRepeatedHasOptionsOfItsOwn() {
    Ran run =
        simulate(
            "--strategy",
            "SizeTiered",
            "--strategy",
            "SizeTiered",
            "--option",
            "min_threshold=8",
            "--option",
            "max_threshold=64",
            "--strategy",
            "SizeTiered",
            "--option",
            "min_threshold=16",
            "--ingest",
            "4GiB",
            "--points",
            "1");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    List<String> lines = run.out().lines().toList();
    assertThat(lines)
        .contains(
            "SizeTiered",
            "SizeTiered {max_threshold=64, min_threshold=8}",
            "SizeTiered {min_threshold=16}");
    // Eight flushes of 512 MiB: merged by four twice, at once, or not at all.
    assertThat(lines.stream().filter(line -> line.startsWith("  at rest")))
        .satisfiesExactly(
            first -> assertThat(first).contains("4.0 GiB       2").contains(" 2.00 "),
            second -> assertThat(second).contains("4.0 GiB       1").contains(" 2.00 "),
            third -> assertThat(third).contains("4.0 GiB       8").contains(" 1.00 "));
  }

  @Test
  void whoHasNothingToDoHasKeptUpHoweverShortItTakes() {
    Ran run =
        simulate(
            "--strategy", "SizeTiered", "--ingest", "1GiB", "--flush", "700MiB", "--points", "1");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains("  1.0 GiB in 0m 51s: ")
        .contains("compaction kept up.")
        .doesNotContain("fell behind");
  }

  @Test
  void printsJson() {
    Ran run = simulate("--strategy", "TimeWindow", "--ingest", "8GiB", "--points", "1", "--json");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .startsWith(
            "[{\"strategy\":\"TimeWindowCompactionStrategy\",\"options\":{},\"max_tables\":")
        .contains("\"measures\":[{\"seconds\":409,\"ingested_bytes\":8589934592,")
        .contains("\"at_rest\":{\"seconds\":")
        .contains("{\"name\":\"window of 2027-01-01T00:00:00Z\",\"tables\":1,")
        .endsWith("}]}}]\n");
  }

  @Test
  void whatIsWrongIsToldInOneLine() {
    assertWrong("--strategy = Best, allowed SizeTieredCompactionStrategy,", "--strategy", "Best");
    assertWrong(
        "unknown option fanout = 3, allowed", "--strategy", "Leveled", "--option", "fanout=3");
    assertWrong("--ingest = much, allowed a size", "--strategy", "Leveled", "--ingest", "much");
    assertWrong("--ttl = 3w, allowed seconds", "--strategy", "Leveled", "--ttl", "3w");
    assertWrong("--overwrite = 2.0, allowed 0 to 1", "--strategy", "Leveled", "--overwrite", "2");
    assertWrong("--delete = NaN, allowed 0 to 1", "--strategy", "Leveled", "--delete", "NaN");
    assertWrong("--row = 0, allowed 1 byte or more", "--strategy", "Leveled", "--row", "0");
    assertWrong(
        "--flush = 1MiB, allowed up to --ingest = 1k",
        "--strategy",
        "Leveled",
        "--ingest",
        "1k",
        "--row",
        "1",
        "--flush",
        "1MiB");
    assertWrong(
        "--flush = 1k, allowed 476838 bytes or more where --ingest = 1TB",
        "--strategy",
        "Leveled",
        "--ingest",
        "1TB",
        "--row",
        "10",
        "--flush",
        "1k");
    assertWrong("--flush = 0, allowed --row = ", "--strategy", "Leveled", "--flush", "0");
    assertWrong(
        "--option class = Unified, allowed only with --strategy",
        "--strategy",
        "Leveled",
        "--option",
        "class=Unified");
    assertWrong(
        "--gc-grace = 1000000d, allowed up to 2147483647 seconds",
        "--strategy",
        "Leveled",
        "--gc-grace",
        "1000000d");
    assertWrong(
        "--ingest-rate = 1, allowed from 347 bytes, a hundred years, to 8TiB",
        "--strategy",
        "Leveled",
        "--ingest-rate",
        "1");
    assertWrong(
        "--compaction-throughput = 1, allowed 0 for no limit, or from 347 bytes, a hundred years",
        "--strategy",
        "Leveled",
        "--compaction-throughput",
        "1");
    assertWrong(
        "option '--compactors': '99999999999', allowed a whole number up to 2147483647;",
        "--strategy",
        "Leveled",
        "--compactors",
        "99999999999");
    assertWrong(
        "option '--seed': '1.5', allowed a whole number up to 9223372036854775807;",
        "--strategy",
        "Leveled",
        "--seed",
        "1.5");
    assertWrong(
        "option '--delete': 'half', allowed a number such as 0.25;",
        "--strategy",
        "Leveled",
        "--delete",
        "half");
    assertWrong("siltstone: Missing required argument");
    assertWrong("--points = 0, allowed 1 or more", "--strategy", "Leveled", "--points", "0");
    assertWrong("--strategy");
  }

  private static void assertWrong(String message, String... args) {
    Ran run = simulate(args);
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("siltstone: ").contains(message).hasLineCount(1);
  }
}
