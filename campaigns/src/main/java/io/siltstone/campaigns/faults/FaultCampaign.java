package io.siltstone.campaigns.faults;

import io.siltstone.campaigns.run.Campaign;
import io.siltstone.campaigns.run.Counts;
import io.siltstone.campaigns.run.DeviationException;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs scripts of operations, and makes each call of each kind to the file system fail in each way,
 * one per round.
 */
final class FaultCampaign implements Campaign {
  private final long seed;
  private final int scripts;
  private final List<Plan> plans = new ArrayList<>();

  /** A script, with the range of its rounds. */
  private record Plan(
      FaultScript script, long firstRound, long endRound, Map<Operation, Long> calls) {}

  /**
   * Creates a campaign.
   *
   * @param scripts number of different scripts
   */
  FaultCampaign(long seed, int scripts) {
    this.seed = seed;
    this.scripts = scripts;
  }

  @Override
  public boolean hasRound(long round) {
    return plans.size() < scripts || round < plans.get(plans.size() - 1).endRound;
  }

  @Override
  public void round(long round, Counts counts) throws IOException, DeviationException {
    Plan plan = plan(round);
    long left = round - plan.firstRound;
    for (Failure failure : Failure.all()) {
      long calls = Objects.requireNonNull(plan.calls.get(failure.operation()));
      if (left < calls) {
        try {
          plan.script.run(failure.at(left + 1), counts);
          counts.add("calls that failed: " + failure.operation());
          counts.add("failures: " + failure.way());
        } catch (IOException | RuntimeException | AssertionError e) {
          throw new DeviationException(String.valueOf(e.getMessage()), e, null);
        }
        return;
      }
      left -= calls;
    }
    throw new IllegalStateException("round " + round + " does not belong to this script");
  }

  private Plan plan(long round) throws IOException {
    while (plans.isEmpty() || plans.get(plans.size() - 1).endRound <= round) {
      FaultScript script = new FaultScript(seed + plans.size());
      Map<Operation, Long> calls = new EnumMap<>(Operation.class);
      for (Operation operation : Operation.values()) {
        calls.put(operation, script.calls(operation));
      }
      long first = plans.isEmpty() ? 0 : plans.get(plans.size() - 1).endRound;
      long rounds =
          Failure.all().stream()
              .mapToLong(failure -> Objects.requireNonNull(calls.get(failure.operation())))
              .sum();
      plans.add(new Plan(script, first, first + rounds, calls));
    }
    return plans.stream().filter(plan -> round < plan.endRound).findFirst().orElseThrow();
  }
}
