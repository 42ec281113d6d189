package io.siltstone.campaigns;

import io.siltstone.campaigns.CampaignRunner.Limits;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that all campaigns have. */
public final class CampaignOptions {
  private static final int OK = 0;
  private static final int DEVIATION = 1;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Ends after so many rounds. Without it and --minutes: what one run is meant to.")
  private @Nullable Long rounds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Draws what is left to chance. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "Begins no round after so many minutes.")
  private @Nullable Double minutes;

  @Option(
      names = "--directory",
      paramLabel = "DIRECTORY",
      description = "Where the ledger, deviations and databases are. Default: campaign-NAME.")
  private @Nullable Path directory;

  @Option(
      names = "--resume",
      description = "Continues the ledger of the directory with the round after its last one.")
  private boolean resume;

  /** Makes a campaign. */
  @FunctionalInterface
  public interface Factory {
    /**
     * Makes one.
     *
     * @param directory for its files
     */
    Campaign create(Path directory, long seed) throws IOException;
  }

  /**
   * Runs a campaign within the limits that are asked for.
   *
   * @param defaultRounds how many rounds if neither rounds nor minutes are given
   * @return the exit code: 0, or 1 if there was a deviation
   */
  public int run(String name, long defaultRounds, Factory factory, PrintWriter out)
      throws IOException {
    Path home =
        Files.createDirectories(directory == null ? Path.of("campaign-" + name) : directory)
            .toRealPath();
    if (!resume && Files.exists(home.resolve(Ledger.FILE))) {
      throw new IOException(
          home + " has a ledger; continue it with --resume, or give another --directory");
    }
    long most = minutes == null ? defaultRounds : Long.MAX_VALUE;
    Limits limits =
        new Limits(
            seed,
            rounds == null ? most : rounds,
            minutes == null ? Long.MAX_VALUE : (long) (minutes * TimeUnit.MINUTES.toNanos(1)));
    CampaignRunner runner = new CampaignRunner(name, limits, home, Ledger.open(home, name), out);
    try (Campaign campaign = factory.create(home, seed)) {
      return runner.run(campaign) == 0 ? OK : DEVIATION;
    }
  }
}
