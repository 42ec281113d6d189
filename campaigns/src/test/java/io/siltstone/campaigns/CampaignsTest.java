package io.siltstone.campaigns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.siltstone.campaigns.run.CampaignOptions;
import io.siltstone.campaigns.run.DeviationException;
import io.siltstone.campaigns.run.ExitCode;
import io.siltstone.commitlog.SyncMode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/**
 * Runs each campaign for a moment, but for that of {@link ThreadsCampaignTest}; {@code
 * docs/reliability.md} has the long runs.
 */
class CampaignsTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--directory", directory.toString()));
    PrintWriter writer = new PrintWriter(out);
    return Campaigns.commandLine()
        .setOut(writer)
        .setErr(writer)
        .execute(all.toArray(String[]::new));
  }

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void killedProcessesLoseNothingThatWasAcknowledged(SyncMode mode) {
    assertThat(run("kill", "--rounds", rounds(1), "--modes", mode.name(), "--seed", seed()))
        .as(out.toString())
        .isZero();
    assertThat(out.toString())
        .contains("processes killed=" + rounds(1), "databases killed=" + rounds(2));
  }

  @Test
  void damageIsFoundOrMakesNoDifference() {
    String rounds = rounds(400);
    assertThat(run("damage", "--rounds", rounds, "--seed", seed())).as(out.toString()).isZero();
    assertThat(out.toString())
        .contains(rounds + " rounds, 0 deviations", "mutations of DATA=")
        .contains("{damages=" + rounds + ",");
  }

  @Test
  void failuresAreToldAndLoseNothing() {
    String rounds = rounds(12);
    assertThat(run("faults", "--rounds", rounds, "--seed", seed())).as(out.toString()).isZero();
    assertThat(out.toString()).contains(rounds + " rounds, 0 deviations", "faults that happened=");
  }

  /** Three processes of two applications, so that six are halted. */
  @Test
  void haltedApplicationsOfKafkaStreamsCountExactly() {
    String rounds = rounds(3);
    assertThat(run("streams", "--rounds", rounds, "--seed", seed())).as(out.toString()).isZero();
    assertThat(out.toString())
        .contains("applications halted=" + rounds(6), "stores with exact counts=" + rounds(4));
  }

  /** Returns a number of rounds, multiplied by {@code siltstone.scale}. */
  private static String rounds(int few) {
    return Integer.toString(few * Integer.getInteger("siltstone.scale", 1));
  }

  private static String seed() {
    return Long.toString(Long.getLong("siltstone.seed", 1));
  }

  @Test
  void aLedgerIsContinuedOnlyIfThatIsAskedFor() throws IOException {
    assertThat(run("damage", "--rounds", "20")).isZero();
    out.getBuffer().setLength(0);
    assertThat(run("damage", "--rounds", "20")).isEqualTo(ExitCode.USAGE);
    assertThat(out.toString().lines())
        .singleElement(STRING)
        .contains("has a ledger", "--resume", "--directory");
    assertThat(run("damage", "--rounds", "30", "--resume")).isZero();
    assertThat(out.toString()).contains("30 rounds, 0 deviations in this run; 50 rounds");
    assertThat(Files.readAllLines(directory.resolve("ledger.jsonl"))).hasSize(2);
    assertThat(run("faults", "--resume")).isEqualTo(ExitCode.USAGE);
    assertThat(out.toString()).contains("the ledger of the campaign damage, expected faults");
  }

  @Test
  void filesThatCannotBeReadOrWrittenAreNoDeviation() throws IOException {
    Files.writeString(directory.resolve("ledger.jsonl"), "no line of a ledger\n");
    assertThat(run("damage", "--rounds", "20", "--resume")).isEqualTo(ExitCode.IO);
    assertThat(out.toString().lines())
        .singleElement(STRING)
        .contains("ledger.jsonl: not a line of a ledger");
  }

  @Test
  void aDeviationIsNeitherAFailureNorAWrongCall() throws IOException {
    CampaignOptions options = new CampaignOptions();
    PrintWriter writer = new PrintWriter(out);
    new CommandLine(options).parseArgs("--rounds", "2", "--directory", directory.toString());
    CampaignOptions.Factory factory =
        (home, seed) ->
            (round, counts) -> {
              if (round == 1) {
                throw new IOException("no space");
              }
              throw new DeviationException("lost", null, null);
            };
    assertThat(options.run("deviating", 1, factory, writer)).isEqualTo(ExitCode.DEVIATION);
    assertThat(out.toString())
        .contains("deviating: deviation: round 0, seed 1: lost", "ended early", "no space");
  }

  /** The page shows commands that take hours; this tests that they are accepted. */
  @Test
  void theCommandsOfThePageAreUnderstood() throws IOException {
    Path page = Path.of("../docs/reliability.md");
    assumeTrue(Files.exists(page), "outside of the source tree");
    Matcher lines =
        Pattern.compile("(?m)^\\./siltstone campaign ([^#\\n]*)").matcher(Files.readString(page));
    int commands = 0;
    while (lines.find()) {
      String[] words = lines.group(1).strip().split(" +");
      CommandLine.ParseResult parsed = Campaigns.commandLine().parseArgs(words);
      assertThat(parsed.hasSubcommand()).as(lines.group()).isTrue();
      commands++;
    }
    assertThat(commands).isGreaterThanOrEqualTo(4);
  }
}
