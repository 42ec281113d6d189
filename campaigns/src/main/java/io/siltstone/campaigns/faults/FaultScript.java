package io.siltstone.campaigns.faults;

import io.siltstone.Compaction;
import io.siltstone.campaigns.run.Counts;
import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.CompactedSequences;
import io.siltstone.model.DatabaseEngine;
import io.siltstone.model.Operation;
import io.siltstone.model.RandomMerge;
import io.siltstone.model.Sequence;
import io.siltstone.model.SequenceReplay;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of operations that is run repeatedly, each time with another failing call. After a
 * failure the database must have everything that was acknowledged, and either the whole effect of
 * the failed operation or none of it, or reject reads; this must also hold after it was reopened.
 */
final class FaultScript {
  private static final int OPERATIONS = 60;
  private static final int NONE = -1;

  private final long seed;
  private final Sequence sequence;

  FaultScript(long seed) {
    this.seed = seed;
    Sequence drawn =
        SequenceReplay.ofAtomicWrites(CompactedSequences.ofAnyTimestamps(seed, OPERATIONS));
    this.sequence =
        new Sequence(
            drawn.seed(),
            drawn.partitioner(),
            drawn.start(),
            drawn.tables(),
            drawn.operations().stream()
                // In memory a crash does not differ from reopening.
                .filter(operation -> !(operation instanceof Operation.Crash))
                .toList());
  }

  /** Returns how many calls of a kind the script makes without a failure. */
  long calls(io.siltstone.testkit.Operation kind) throws IOException {
    Fault counter = Fault.on(kind).runs("counted", () -> {});
    new OneRun(counter).run(new Counts());
    return counter.calls();
  }

  /** Runs the script with a fault, and fails if a check fails. */
  void run(Fault fault, Counts counts) throws IOException {
    try {
      new OneRun(fault).run(counts);
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError("script " + seed + ", " + fault + ": " + e, e);
    }
  }

  /** One run of the script, on its own disk. */
  private final class OneRun {
    private final Fault fault;
    private final MemoryDirectory disk = new MemoryDirectory();
    private final LeakChecking leaks = new LeakChecking();
    private final Set<Integer> dropped = new HashSet<>();
    private SequenceReplay replay = new SequenceReplay(sequence);
    // The first operation that found all changes refused.
    private int refusedFrom = NONE;

    OneRun(Fault fault) {
      this.fault = fault;
    }

    void run(Counts counts) throws IOException {
      Directory faulty = leaks.watch(new FaultyDirectory(disk, seed, fault));
      boolean isCreated = false;
      try (DatabaseEngine engine = open(faulty, "w")) {
        replay.create(engine);
        isCreated = true;
        while (!replay.isAtEnd()) {
          if (!step(engine)) {
            break;
          }
        }
      } catch (IOException | RuntimeException | AssertionError e) {
        requireTold(e);
        counts.add("openings and closings that failed");
      }
      leaks.requireNothingOpen();
      if (fault.fired() > 0) {
        counts.add("faults that happened");
      }
      reopen(isCreated);
    }

    /** Runs the next operation, and returns whether to continue. */
    private boolean step(DatabaseEngine engine) throws IOException {
      try {
        replay.step(engine);
        return true;
      } catch (IOException | RuntimeException | AssertionError e) {
        requireTold(e);
      }
      if (replay.next() instanceof Operation.Reopen) {
        return false;
      }
      // The operation has failed: it had its whole effect or none.
      if (isWithout(engine)) {
        dropped.add(replay.done());
        replay.drop();
        return true;
      }
      return false;
    }

    /** Returns whether the database has no effect of the failed operation, or rejects reads. */
    private boolean isWithout(DatabaseEngine engine) throws IOException {
      SequenceReplay before = again(false);
      try {
        before.requireSame(engine);
        return true;
      } catch (AssertionError e) {
        SequenceReplay after = again(true);
        try {
          after.requireSame(engine);
          replay = after;
          return false;
        } catch (AssertionError other) {
          other.addSuppressed(e);
          throw new AssertionError(
              "after "
                  + before.next()
                  + " failed: neither without it: "
                  + e.getMessage()
                  + "\nnor with it: "
                  + other.getMessage(),
              other);
        }
      } catch (IOException | RuntimeException e) {
        requireTold(e);
        return true;
      }
    }

    /** Returns a new model in the state of the run. */
    private SequenceReplay again(boolean isOneMore) throws IOException {
      SequenceReplay again = new SequenceReplay(sequence);
      int until = replay.done() + (isOneMore ? 1 : 0);
      while (again.done() < until) {
        if (dropped.contains(again.done())) {
          again.drop();
        } else {
          again.skip();
        }
      }
      return again;
    }

    /** Opens twice what is left on the disk, without failures. */
    private void reopen(boolean isCreated) throws IOException {
      if (!isCreated) {
        try (DatabaseEngine engine = open(disk, "r")) {
          replay.requireEmpty(engine);
          replay.create(engine);
        }
        return;
      }
      SequenceReplay found = again(false);
      for (int i = 0; i < 2; i++) {
        try (DatabaseEngine engine = open(disk, "r" + i)) {
          try {
            found.requireSame(engine);
          } catch (AssertionError e) {
            if (i > 0) {
              throw e;
            }
            found = withOneInDoubt(engine, e);
          }
        }
      }
    }

    /**
     * Returns the model with an operation that failed and is there all the same. If the failure
     * ended all changes, this is known only after the database was opened again: the operation is
     * the first that was refused, or the one that failed before it.
     */
    private SequenceReplay withOneInDoubt(DatabaseEngine engine, AssertionError without)
        throws IOException {
      boolean isBeforeRefusal = false;
      for (int i = replay.done() - 1; i >= 0 && !isBeforeRefusal; i--) {
        if (dropped.contains(i) && (refusedFrom == NONE || i <= refusedFrom)) {
          isBeforeRefusal = i < refusedFrom || refusedFrom == NONE;
          SequenceReplay with = withLastChange(i);
          try {
            with.requireSame(engine);
            return with;
          } catch (AssertionError e) {
            without.addSuppressed(e);
          }
        }
      }
      throw without;
    }

    /** Returns a model in which an operation that failed is there, and no change after it. */
    private SequenceReplay withLastChange(int last) throws IOException {
      SequenceReplay again = new SequenceReplay(sequence);
      while (again.done() < replay.done()) {
        int next = again.done();
        boolean isLeftOut = next < last ? dropped.contains(next) : next > last;
        if (isLeftOut && !(again.next() instanceof Operation.AdvanceClock)) {
          again.drop();
        } else {
          again.skip();
        }
      }
      return again;
    }

    private DatabaseEngine open(Directory directory, String incarnation) throws IOException {
      return DatabaseEngine.on(
          seed,
          Compaction.none(),
          RandomMerge::merge,
          sequence,
          replay.clock(),
          directory,
          incarnation,
          options -> options);
    }

    /** Requires that an error names the injected fault, or says that changes are rejected since. */
    private void requireTold(Throwable e) {
      if (fault.fired() == 0) {
        throw new AssertionError("failed without a fault: " + e, e);
      }
      @Nullable Throwable cause = e;
      while (cause != null) {
        if (cause instanceof ReadOnlyException || cause instanceof IOException) {
          boolean isRefusal =
              cause instanceof ReadOnlyException || cause instanceof CommitLogFailedException;
          if (isRefusal && refusedFrom == NONE) {
            refusedFrom = replay.done();
          }
          return;
        }
        boolean isWrapper =
            cause instanceof AssertionError
                || cause instanceof UncheckedIOException
                || cause instanceof CompletionException;
        if (!isWrapper) {
          break;
        }
        cause = cause.getCause();
      }
      throw new AssertionError("an unexpected error: " + e, e);
    }
  }
}
