package io.siltstone.campaigns.run;

import io.siltstone.campaigns.run.Ledger.Line;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs rounds of a campaign until a limit is reached, and keeps the ledger. */
final class CampaignRunner {
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final int MOST_TEXT = 1_000;

  private final String name;
  private final Limits limits;
  private final Path directory;
  private final Ledger ledger;
  private final PrintWriter out;

  // Since the last line of the ledger.
  private Counts counts = new Counts();
  private List<String> deviations = new ArrayList<>();
  private long firstRound;
  private long lineBegan;

  // The figures of this run, without those of earlier runs that it resumes.
  private long rounds;
  private long found;

  /**
   * The limits of a run.
   *
   * @param rounds greatest number of rounds in this run
   * @param nanos time after which no further round begins
   */
  record Limits(long seed, long rounds, long nanos) {}

  CampaignRunner(String name, Limits limits, Path directory, Ledger ledger, PrintWriter out) {
    this.name = name;
    this.limits = limits;
    this.directory = directory;
    this.ledger = ledger;
    this.out = out;
  }

  /** Returns how many deviations this run has found, also after it has failed. */
  long found() {
    return found;
  }

  /** Runs the campaign. */
  void run(Campaign campaign) throws IOException {
    long began = System.nanoTime();
    long round = ledger.nextRound();
    firstRound = round;
    lineBegan = began;
    try {
      while (rounds < limits.rounds()
          && System.nanoTime() - began < limits.nanos()
          && campaign.hasRound(round)) {
        try {
          campaign.round(round, counts);
        } catch (DeviationException e) {
          note(round, e);
        }
        round++;
        rounds++;
        if (System.nanoTime() - lineBegan >= LINE_NANOS) {
          writeLine(round);
        }
      }
    } finally {
      writeLine(round);
    }
    report();
  }

  private void note(long round, DeviationException e) throws IOException {
    found++;
    String text = "round " + round + ", seed " + limits.seed() + ": " + e.getMessage();
    deviations.add(text.substring(0, Math.min(text.length(), MOST_TEXT)));
    Path kept = Files.createDirectories(directory.resolve("deviations/round-" + round));
    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace));
    Files.writeString(kept.resolve("deviation.txt"), text + "\n\n" + trace, StandardCharsets.UTF_8);
    @Nullable Path evidence = e.evidence();
    if (evidence != null && Files.exists(evidence)) {
      Files.move(evidence, kept.resolve("files"));
    }
    out.println(name + ": deviation: " + text.substring(0, Math.min(text.length(), MOST_TEXT)));
    out.println("kept in " + kept);
    out.flush();
  }

  private void writeLine(long nextRound) throws IOException {
    long now = System.nanoTime();
    if (nextRound > firstRound) {
      ledger.append(
          new Line(
              System.getProperty("siltstone.commit", ""),
              limits.seed(),
              firstRound,
              nextRound - firstRound,
              TimeUnit.NANOSECONDS.toMillis(now - lineBegan),
              counts.all(),
              deviations));
    }
    firstRound = nextRound;
    lineBegan = now;
    counts = new Counts();
    deviations = new ArrayList<>();
  }

  private void report() {
    out.println(
        name
            + ": "
            + rounds
            + " rounds, "
            + found
            + " deviations in this run; "
            + ledger.rounds()
            + " rounds, "
            + ledger.deviations()
            + " deviations in "
            + TimeUnit.MILLISECONDS.toMinutes(ledger.millis())
            + " minutes in all: "
            + ledger.counts().all());
    out.flush();
  }
}
