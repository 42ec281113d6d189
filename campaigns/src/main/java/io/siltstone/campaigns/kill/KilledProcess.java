package io.siltstone.campaigns.kill;

import io.siltstone.commitlog.SyncMode;
import io.siltstone.model.DatabaseEngine;
import io.siltstone.model.SequenceReplay;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The process that is killed. It opens the two databases of a {@link DatabaseLife}, continues where
 * the process before it was killed, and records in {@link Progress} what was acknowledged. If
 * anything fails, it ends with the exit code 1.
 */
final class KilledProcess {
  private final DatabaseLife life;
  private final String incarnation;
  private final long mostSteps;
  private final Progress progress;

  private KilledProcess(DatabaseLife life, String incarnation, long mostSteps) throws IOException {
    this.life = life;
    this.incarnation = incarnation;
    this.mostSteps = mostSteps;
    this.progress = Progress.open(life.progress());
  }

  /**
   * Runs the process. The arguments are directory, seed, mode, incarnation, and the greatest number
   * of steps of a thread.
   */
  public static void main(String[] args) throws IOException {
    DatabaseLife life =
        new DatabaseLife(Path.of(args[0]), Long.parseLong(args[1]), SyncMode.valueOf(args[2]));
    endWithParent();
    new KilledProcess(life, args[3], Long.parseLong(args[4])).run();
  }

  /** Ends this process when its parent ends, which closes the pipe to this one. */
  private static void endWithParent() {
    Thread watcher =
        new Thread(
            () -> {
              try {
                if (System.in.read() < 0) {
                  Runtime.getRuntime().halt(0);
                }
              } catch (IOException e) {
                Runtime.getRuntime().halt(0);
              }
            },
            "watcher");
    watcher.setDaemon(true);
    watcher.start();
  }

  private void run() throws IOException {
    Thread tables = start("tables", this::runSequence);
    progress.set(Progress.PHASE, Progress.IS_OPENING);
    try (PairsDatabase pairs = PairsDatabase.open(life, incarnation, false)) {
      progress.set(Progress.PHASE, Progress.IS_OPEN);
      Thread[] threads = new Thread[PairsStep.THREADS];
      for (int i = 0; i < threads.length; i++) {
        int thread = i;
        threads[i] = start("pairs-" + i, () -> runPairs(pairs, thread));
      }
      for (Thread thread : threads) {
        join(thread);
      }
    }
    join(tables);
  }

  private void runSequence() throws IOException {
    SequenceReplay replay = new SequenceReplay(life.sequence());
    long done = progress.get(Progress.SEQUENCE);
    while (replay.done() < done - 1) {
      replay.skip();
    }
    try (DatabaseEngine engine = TablesDatabase.open(life, replay, incarnation, false)) {
      if (done == 0) {
        replay.create(engine);
        // Creating the tables counts as the first operation.
        done = 1;
        progress.set(Progress.SEQUENCE, done);
      }
      for (long left = mostSteps; left > 0 && !replay.isAtEnd(); left--) {
        replay.step(engine);
        done++;
        progress.set(Progress.SEQUENCE, done);
      }
    }
  }

  private void runPairs(PairsDatabase database, int thread) throws IOException {
    PairsState state = new PairsState();
    int counter = Progress.FIRST_THREAD + thread;
    int done = (int) progress.get(counter);
    for (int i = 0; i < done; i++) {
      PairsStep.draw(life.seed(), thread, i).apply(state);
    }
    try (PairsSnapshots snapshots = new PairsSnapshots(thread)) {
      for (long left = mostSteps; left > 0; left--) {
        PairsStep step = PairsStep.draw(life.seed(), thread, done);
        step.run(database, state, snapshots);
        done++;
        progress.set(counter, done);
        step.apply(state);
      }
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static Thread start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
              }
            },
            name);
    thread.start();
    return thread;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("this thread must not be interrupted", e);
    }
  }
}
