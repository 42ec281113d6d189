package io.siltstone.testkit;

import io.siltstone.io.Directory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Runs a piece of work repeatedly, and cuts the power between any two of its operations.
 *
 * <pre>{@code
 * PowerCuts.on(FileSystemModel.JOURNALED, seed).lossesPerPoint(5).atEachOperation(MyCase::new);
 * }</pre>
 *
 * The work has to do the same operations each time. Immutable.
 */
public final class PowerCuts {
  /** One run of the work. It records what was acknowledged, and checks that it is still there. */
  public interface Case {
    /**
     * Works on an empty disk. After the power was cut, every operation throws; exceptions of this
     * method are then ignored.
     */
    void run(Directory disk) throws Exception;

    /** Fails unless the disk, as found after a power loss during the run, has an allowed state. */
    void check(Directory rebooted) throws Exception;
  }

  private final FileSystemModel model;
  private final long seed;
  private final int losses;
  private final int maxPoints;

  private PowerCuts(FileSystemModel model, long seed, int losses, int maxPoints) {
    this.model = model;
    this.seed = seed;
    this.losses = losses;
    this.maxPoints = maxPoints;
  }

  /** Returns power cuts on such a file system, with one loss at each point. */
  public static PowerCuts on(FileSystemModel model, long seed) {
    return new PowerCuts(model, seed, 1, Integer.MAX_VALUE);
  }

  /** Returns power cuts with that many different states of the disk at each point. */
  public PowerCuts lossesPerPoint(int count) {
    return new PowerCuts(model, seed, positive(count), maxPoints);
  }

  /**
   * Returns power cuts at no more than that many points, drawn by the seed; the first and the last
   * are among them.
   */
  public PowerCuts atMost(int points) {
    return new PowerCuts(model, seed, losses, positive(points));
  }

  private static int positive(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count " + count + ", allowed 1 or more");
    }
    return count;
  }

  /**
   * Counts the operations of the work, then runs it once for each number of operations, cuts the
   * power after that many, and checks the disk.
   *
   * @param cases creates a case for each run
   * @return the number of points that were tried
   * @throws AssertionError if a run or a check fails, naming the point and how to repeat it
   */
  public int atEachOperation(Supplier<? extends Case> cases) {
    SimulatedDisk whole = new SimulatedDisk(model);
    run(cases.get(), whole, "without a power loss, seed " + seed);
    long total = whole.operations();
    List<Long> points = points(total);
    for (long point : points) {
      Random random = Seeds.random(seed * 31 + point);
      long[] lossSeeds = random.longs(losses).toArray();
      tryPoint(cases.get(), point, total, lossSeeds);
    }
    return points.size();
  }

  /** Repeats one power loss, as printed by a failure. */
  public void repeat(long point, long lossSeed, Supplier<? extends Case> cases) {
    tryPoint(cases.get(), point, -1, lossSeed);
  }

  private List<Long> points(long total) {
    List<Long> all = new ArrayList<>();
    for (long point = 0; point <= total; point++) {
      all.add(point);
    }
    if (all.size() <= maxPoints) {
      return all;
    }
    List<Long> inner = new ArrayList<>(all.subList(1, all.size() - 1));
    Collections.shuffle(inner, Seeds.random(seed));
    List<Long> some = new ArrayList<>(inner.subList(0, Math.max(0, maxPoints - 2)));
    some.add(0L);
    some.add(total);
    Collections.sort(some);
    return some;
  }

  private void tryPoint(Case work, long point, long total, long... lossSeeds) {
    SimulatedDisk disk = new SimulatedDisk(model);
    disk.crashAfter(point);
    run(work, disk, "power lost after operation " + point + ", seed " + seed);
    for (long lossSeed : lossSeeds) {
      try {
        work.check(disk.powerLoss(lossSeed));
      } catch (Exception | AssertionError e) {
        throw new AssertionError(
            "power lost after operation "
                + point
                + (total < 0 ? "" : " of " + total)
                + " ("
                + disk.lastOperations()
                + "), repeat with PowerCuts.on("
                + model.name()
                + ", "
                + seed
                + "L).repeat("
                + point
                + ", "
                + lossSeed
                + "L, ...): "
                + e,
            e);
      }
    }
  }

  private static void run(Case work, SimulatedDisk disk, String when) {
    try {
      work.run(disk);
    } catch (Exception | AssertionError e) {
      if (!disk.isLost()) {
        throw new AssertionError("the work itself fails, " + when + ": " + e, e);
      }
    }
  }
}
