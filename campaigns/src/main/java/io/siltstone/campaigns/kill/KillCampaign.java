package io.siltstone.campaigns.kill;

import io.siltstone.campaigns.run.Campaign;
import io.siltstone.campaigns.run.Counts;
import io.siltstone.campaigns.run.DeviationException;
import io.siltstone.campaigns.run.Directories;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.model.DatabaseEngine;
import io.siltstone.model.Operation;
import io.siltstone.model.SequenceReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Kills processes with SIGKILL while they open, write, flush, compact and alter two databases each,
 * and compares both with models after each kill. In every sync mode, everything that was
 * acknowledged must be there; the operation of each thread that was in flight must have had its
 * whole effect or none; and there must be nothing else. A database survives many kills.
 */
final class KillCampaign implements Campaign {
  private static final int MEAN_OPERATIONS = 60;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final Path directory;
  private final long seed;
  private final DatabaseLifeSchedule schedule;
  private final KilledJvm child;
  private @Nullable Present present;
  private long lastRound;

  /** The present life, and the models of its databases. */
  private static final class Present {
    private final DatabaseLife life;
    private final SequenceReplay replay;
    private final PairsState[] pairs = new PairsState[PairsStep.THREADS];
    private final int[] steps = new int[PairsStep.THREADS];
    private int kills;
    private boolean wasOpen;

    Present(DatabaseLife life) {
      this.life = life;
      this.replay = new SequenceReplay(life.sequence());
      for (int i = 0; i < pairs.length; i++) {
        pairs[i] = new PairsState();
      }
    }
  }

  KillCampaign(Path directory, long seed, List<SyncMode> modes) throws IOException {
    this.directory = directory;
    this.seed = seed;
    this.schedule = new DatabaseLifeSchedule(modes);
    DatabaseLife training = new DatabaseLife(directory.resolve("training"), seed, modes.get(0));
    Directories.delete(training.directory());
    this.child = KilledJvm.prepare(directory, training);
    Directories.delete(training.directory());
  }

  @Override
  public void round(long round, Counts counts) throws IOException, DeviationException {
    long drawn = new SplittableRandom(seed * 1_000_003 + round).nextLong();
    Random random = new Random(drawn);
    Present now = present;
    if (now == null || schedule.isFirst(round) || now.replay.isAtEnd() || round != lastRound + 1) {
      close();
      now = begin(round, drawn);
      counts.add("databases created", 2);
    }
    lastRound = round;
    now.kills++;
    String when = now.life + ", kill " + now.kills + " of this life";
    try (Progress progress = Progress.open(now.life.progress())) {
      progress.set(Progress.PHASE, 0);
      long before = progress.acknowledged();
      kill(now, progress, "r" + round, random);
      counts.add("processes killed");
      counts.add("databases killed", 2);
      counts.add("killed in mode " + now.life.mode());
      if (progress.acknowledged() == before) {
        counts.add("killed before the first acknowledgement");
      }
      counts.add("operations acknowledged", progress.acknowledged() - before);
      verify(now, progress, random.nextBoolean(), counts);
    } catch (IOException | RuntimeException | AssertionError e) {
      present = null;
      throw new DeviationException(when + ": " + e, e, now.life.directory());
    }
  }

  private Present begin(long round, long drawn) throws IOException {
    DatabaseLife life =
        new DatabaseLife(directory.resolve("life-" + round), drawn >>> 16, schedule.mode(round));
    Directories.delete(life.directory());
    Files.createDirectories(life.directory());
    Present begun = new Present(life);
    present = begun;
    return begun;
  }

  /** Starts a process, and kills it at a randomly chosen point of its progress. */
  private void kill(Present now, Progress progress, String incarnation, Random random)
      throws IOException {
    boolean isEarly = random.nextInt(5) == 0;
    long target =
        progress.acknowledged() + 1 + (long) (-Math.log(1 - random.nextDouble()) * MEAN_OPERATIONS);
    long delay = isEarly ? random.nextInt(150_000_000) : random.nextInt(2_000_000);
    Process process = child.start(now.life, incarnation, Long.MAX_VALUE);
    boolean isKilled = false;
    try {
      long began = System.nanoTime();
      while (isEarly
          ? progress.get(Progress.PHASE) == 0
          : progress.get(Progress.PHASE) < Progress.IS_OPEN || progress.acknowledged() < target) {
        if (!process.isAlive()) {
          break;
        }
        if (System.nanoTime() - began > PATIENCE_NANOS) {
          throw new AssertionError("hangs: " + dump(process, now.life));
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
      long killAt = System.nanoTime() + delay;
      while (System.nanoTime() < killAt) {
        LockSupport.parkNanos(Math.min(POLL_NANOS, killAt - System.nanoTime()));
      }
      isKilled = process.isAlive();
      process.toHandle().destroyForcibly();
      int code = process.waitFor();
      if (!isKilled || code == 1) {
        throw new AssertionError(
            "the process has ended with " + code + ": " + Files.readString(now.life.errors()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Requests a thread dump of the JVM, which it writes to its error file. */
  private static String dump(Process process, DatabaseLife life)
      throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
    process.waitFor(2, TimeUnit.SECONDS);
    return Files.readString(life.errors());
  }

  /** Opens what is left, and compares it with the models, which are advanced to what was found. */
  private static void verify(Present now, Progress progress, boolean isReadOnly, Counts counts)
      throws IOException {
    verifyTables(now, progress, isReadOnly, counts);
    verifyPairs(now, progress, isReadOnly, counts);
  }

  private static void verifyTables(
      Present now, Progress progress, boolean isReadOnly, Counts counts) throws IOException {
    long told = progress.get(Progress.SEQUENCE);
    SequenceReplay replay = now.replay;
    boolean isThere =
        Files.exists(now.life.directory().resolve("tables/database/siltstone.properties"));
    if (told == 0) {
      try (DatabaseEngine engine =
          TablesDatabase.open(now.life, replay, "v" + now.kills, isReadOnly && isThere)) {
        replay.requireEmpty(engine);
      }
      return;
    }
    while (replay.done() < told - 1) {
      replay.skip();
    }
    try (DatabaseEngine engine =
        TablesDatabase.open(now.life, replay, "v" + now.kills, isReadOnly)) {
      try {
        replay.requireSame(engine);
      } catch (AssertionError e) {
        // The operation in flight may have had its effect.
        if (replay.isAtEnd()) {
          throw e;
        }
        Operation next = replay.next();
        replay.skip();
        try {
          replay.requireSame(engine);
        } catch (AssertionError other) {
          other.addSuppressed(e);
          throw new AssertionError(
              "tables after "
                  + (told - 1)
                  + " acknowledged operations: neither without the one in flight, "
                  + next
                  + ": "
                  + e.getMessage()
                  + "\nnor with it: "
                  + other.getMessage(),
              other);
        }
        counts.add("operations in flight found");
        progress.set(Progress.SEQUENCE, told + 1);
      }
    }
  }

  private static void verifyPairs(Present now, Progress progress, boolean isReadOnly, Counts counts)
      throws IOException {
    now.wasOpen |= progress.get(Progress.PHASE) == Progress.IS_OPEN;
    if (!Files.exists(now.life.directory().resolve("pairs/siltstone.properties"))) {
      for (int i = 0; i < PairsStep.THREADS; i++) {
        if (progress.get(Progress.FIRST_THREAD + i) > 0) {
          throw new AssertionError("the key-value store is not there any more");
        }
      }
      return;
    }
    // A process that is killed while it creates the store may leave one that cannot be opened for
    // reading only.
    boolean mustBeWhole = now.wasOpen;
    now.wasOpen = true;
    try (PairsDatabase database =
        PairsDatabase.open(now.life, "v" + now.kills, isReadOnly && mustBeWhole)) {
      database.requireNothingElse();
      for (int thread = 0; thread < PairsStep.THREADS; thread++) {
        int told = (int) progress.get(Progress.FIRST_THREAD + thread);
        PairsState expected = now.pairs[thread];
        while (now.steps[thread] < told) {
          PairsStep.draw(now.life.seed(), thread, now.steps[thread]++).apply(expected);
        }
        PairsState found = database.state(thread);
        String without = expected.difference(found);
        if (without != null) {
          PairsStep next = PairsStep.draw(now.life.seed(), thread, now.steps[thread]++);
          next.apply(expected);
          String with = expected.difference(found);
          if (with != null) {
            throw new AssertionError(
                "thread "
                    + thread
                    + " after "
                    + told
                    + " acknowledged steps: neither without the one in flight: "
                    + without
                    + "\nnor with "
                    + next
                    + ": "
                    + with);
          }
          counts.add("operations in flight found");
          progress.set(Progress.FIRST_THREAD + thread, told + 1L);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    Present ended = present;
    present = null;
    if (ended != null) {
      Directories.delete(ended.life.directory());
    }
  }
}
