package io.siltstone.model;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs sequences on engines and the model. A sequence that fails is shrunk for at most two minutes,
 * and reported with its seed.
 */
public final class SequenceRunner {
  private static final int MAX_RUNS_TO_SHRINK = 3000;

  /** A sequence of threads that wait for each other may need a minute each time that it fails. */
  private static final Duration MAX_TIME_TO_SHRINK = Duration.ofMinutes(2);

  private final EngineUnderTest.Factory factory;

  /** Of engines of one kind. */
  public SequenceRunner(EngineUnderTest.Factory factory) {
    this.factory = factory;
  }

  /**
   * Does something with each of many seeds, from 0 on: so many as told times {@code
   * -Dsiltstone.scale=N}, or only {@code -Dsiltstone.seed=N}.
   */
  public static void seeds(int count, LongConsumer run) {
    Long one = Long.getLong("siltstone.seed");
    LongStream seeds =
        one == null
            ? LongStream.range(0, (long) count * Integer.getInteger("siltstone.scale", 1))
            : LongStream.of(one);
    seeds.forEach(run);
  }

  /**
   * Runs a sequence.
   *
   * @throws AssertionError if it fails, with the seed and the shortest part of it found that fails
   */
  public void run(Sequence sequence) {
    Throwable failure = failure(sequence);
    if (failure == null) {
      return;
    }
    // The failure is printed first, since the time limit of the test may interrupt the shrinking.
    System.err.println("seed " + sequence.seed() + " has failed, and is being shrunk:");
    failure.printStackTrace();
    Sequence shrunk = shrink(sequence);
    Throwable last = failure(shrunk);
    StringBuilder text = new StringBuilder("seed " + sequence.seed() + " (-Dsiltstone.seed=");
    text.append(sequence.seed()).append("): ").append((last == null ? failure : last).getMessage());
    text.append("\nShrunk, with ").append(sequence.partitioner()).append(":\n");
    lines(shrunk).forEach(line -> text.append("  ").append(line).append('\n'));
    AssertionError error = new AssertionError(text.toString(), last == null ? failure : last);
    if (last != null) {
      error.addSuppressed(failure);
    }
    throw error;
  }

  private @Nullable Throwable failure(Sequence sequence) {
    SteppedClock clock = new SteppedClock(sequence.start());
    ReferenceModel model = new ReferenceModel(sequence.partitioner(), clock);
    try (EngineUnderTest engine = factory.create(sequence, clock)) {
      for (TableDefinition table : sequence.tables()) {
        engine.create(table);
        model.create(table.schema());
      }
      Run run = new Run(model, engine, clock);
      run.all(sequence.operations());
      run.askAll();
      return null;
    } catch (IOException | RuntimeException | AssertionError e) {
      return e;
    }
  }

  private Sequence shrink(Sequence sequence) {
    Shrinking shrinking = new Shrinking(sequence);
    shrinking.dropOperations();
    shrinking.simplify();
    shrinking.dropOperations();
    return sequence.with(shrinking.operations);
  }

  /** Takes away what is not needed for a failure. */
  private final class Shrinking {
    private final Sequence sequence;
    private List<Operation> operations;
    private final long start = System.nanoTime();
    private int runs;

    Shrinking(Sequence sequence) {
      this.sequence = sequence;
      this.operations = new ArrayList<>(sequence.operations());
    }

    private boolean keep(List<Operation> fewer) {
      if (mayGoOn() && failure(sequence.with(fewer)) != null) {
        operations = fewer;
        return true;
      }
      return false;
    }

    private boolean mayGoOn() {
      return runs++ < MAX_RUNS_TO_SHRINK
          && System.nanoTime() - start < MAX_TIME_TO_SHRINK.toNanos();
    }

    /** Halves, quarters and so on, until no single one can be spared. */
    void dropOperations() {
      for (int length = Math.max(1, operations.size() / 2); length > 0; length /= 2) {
        boolean dropped = true;
        while (dropped) {
          dropped = false;
          for (int from = operations.size() - length; from >= 0; from -= length) {
            List<Operation> fewer = new ArrayList<>(operations);
            fewer.subList(from, from + length).clear();
            dropped |= keep(fewer);
          }
        }
      }
    }

    void simplify() {
      for (int i = 0; i < operations.size(); i++) {
        boolean simplified = true;
        while (simplified) {
          simplified = false;
          for (Operation simpler : operations.get(i).simpler().toList()) {
            List<Operation> other = new ArrayList<>(operations);
            other.set(i, simpler);
            if (keep(other)) {
              simplified = true;
              break;
            }
          }
        }
      }
    }
  }

  private static List<String> lines(Sequence sequence) {
    SteppedClock clock = new SteppedClock(sequence.start());
    ReferenceModel model = new ReferenceModel(sequence.partitioner(), clock);
    List<String> lines = new ArrayList<>();
    for (TableDefinition table : sequence.tables()) {
      lines.add(table.cql().strip());
      model.create(table.schema());
    }
    Run onModel = new Run(model, new AgreeingEngine(model), clock);
    for (Operation operation : sequence.operations()) {
      lines.add(operation.text(model));
      try {
        onModel.all(List.of(operation));
      } catch (IOException | RuntimeException | AssertionError e) {
        lines.add("  here: " + e.getMessage());
      }
    }
    return lines;
  }
}
