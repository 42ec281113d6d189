package io.siltstone.campaigns.run;

import io.siltstone.campaigns.run.CampaignRunner.Limits;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of all campaigns; runs a campaign with them. */
public final class CampaignOptions {
  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Number of rounds. Default without --minutes: depends on the campaign.")
  private @Nullable Long rounds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of all random choices. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "Start no round after that many minutes.")
  private @Nullable Double minutes;

  @Option(
      names = "--directory",
      paramLabel = "DIRECTORY",
      description = "Directory of the ledger, deviations and databases. Default: campaign-NAME.")
  private @Nullable Path directory;

  @Option(
      names = "--resume",
      description = "Continue the ledger of the directory with the round after its last one.")
  private boolean resume;

  /** Creates a campaign. */
  @FunctionalInterface
  public interface Factory {
    /**
     * Creates a campaign.
     *
     * @param directory for its files
     * @param seed of its rounds
     */
    Campaign create(Path directory, long seed) throws IOException;
  }

  /**
   * Runs a campaign within the given limits.
   *
   * @param defaultRounds number of rounds if neither rounds nor minutes are given
   * @return {@link ExitCode#OK} or {@link ExitCode#DEVIATION}
   * @throws UsageException if the directory has a ledger that must not be, or cannot be, continued
   * @throws IOException if the campaign's own files could not be read or written
   */
  public int run(String name, long defaultRounds, Factory factory, PrintWriter out)
      throws IOException {
    Path home =
        Files.createDirectories(directory == null ? Path.of("campaign-" + name) : directory)
            .toRealPath();
    if (!resume && Files.exists(home.resolve(Ledger.FILE))) {
      throw new UsageException(
          home + " has a ledger; continue it with --resume, or choose another --directory");
    }
    long most = minutes == null ? defaultRounds : Long.MAX_VALUE;
    Limits limits =
        new Limits(
            seed,
            rounds == null ? most : rounds,
            minutes == null ? Long.MAX_VALUE : (long) (minutes * TimeUnit.MINUTES.toNanos(1)));
    CampaignRunner runner = new CampaignRunner(name, limits, home, Ledger.open(home, name), out);
    try (Campaign campaign = factory.create(home, seed)) {
      runner.run(campaign);
    } catch (IOException e) {
      if (runner.found() == 0) {
        throw e;
      }
      // A failure may disappear when tried again, but a deviation does not, so it decides the exit
      // code.
      out.println(name + ": ended early: " + e);
      out.flush();
    }
    return runner.found() == 0 ? ExitCode.OK : ExitCode.DEVIATION;
  }
}
