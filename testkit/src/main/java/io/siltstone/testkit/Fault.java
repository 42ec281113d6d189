package io.siltstone.testkit;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One thing that goes wrong: on which operations, files and calls, and how.
 *
 * <pre>{@code
 * Fault full = Fault.on(WRITE).files("*-Data.db").noSpaceAfter(100_000);
 * Fault sync = Fault.on(SYNC, SYNC_DIRECTORY).call(3).fails("Input/output error");
 * Directory disk = new FaultyDirectory(new MemoryDirectory(), seed, full, sync);
 * }</pre>
 *
 * <p>Prints itself as a sentence. Counts its calls, so it belongs to one {@link FaultyDirectory}.
 * Safe for all threads.
 */
public final class Fault {
  /** What the kernel says of a full disk. */
  public static final String NO_SPACE = "No space left on device";

  enum Action {
    /** An exception instead of the operation; of a write a part may be done, and a sync as well. */
    FAIL,
    /** The operation is done, and an exception told nevertheless. */
    FAIL_AFTERWARDS,
    /** A read fetches half of what is there. */
    SHORT_READ,
    /** Writes succeed as long as bytes are left. */
    NO_SPACE,
    /** Something runs before the operation. */
    RUN
  }

  private final Rule rule;
  private final Action action;
  private final String text;
  private final @Nullable Runnable before;
  private final AtomicLong bytesLeft;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong fired = new AtomicLong();

  private Fault(Rule rule, Action action, String text, @Nullable Runnable before, long bytes) {
    this.rule = rule;
    this.action = action;
    this.text = text;
    this.before = before;
    this.bytesLeft = new AtomicLong(bytes);
  }

  /** Begins a rule on these kinds of operations; at first it is about every call on all files. */
  public static Rule on(Operation first, Operation... more) {
    return new Rule(EnumSet.of(first, more), FilePattern.ALL, 1, Long.MAX_VALUE, 1);
  }

  /** How often this fault happened. */
  public long fired() {
    return fired.get();
  }

  /**
   * Makes room for so many bytes more on a disk that is full, or will be.
   *
   * @throws IllegalStateException if this is no full disk
   */
  public void giveSpace(long bytes) {
    if (action != Action.NO_SPACE) {
      throw new IllegalStateException("room on a disk that is not full: " + this);
    }
    bytesLeft.addAndGet(bytes);
  }

  /** How often an operation matched by kind and file, whether or not the fault happened then. */
  public long calls() {
    return calls.get();
  }

  /** The rule as a sentence. */
  @Override
  public String toString() {
    return rule + ": " + text;
  }

  Action action() {
    return action;
  }

  String text() {
    return text;
  }

  /** Counts the call if it is meant by kind and file, and says whether the rule is about it. */
  boolean meets(Operation operation, String path, String other, Draw draw) {
    if (!rule.operations.contains(operation)
        || !(rule.files.matches(path) || rule.files.matches(other))) {
      return false;
    }
    long call = calls.incrementAndGet();
    return call >= rule.firstCall
        && call <= rule.lastCall
        && (rule.chance >= 1 || draw.next() < rule.chance);
  }

  /** A number from 0 to 1. */
  interface Draw {
    double next();
  }

  void noteFired() {
    fired.incrementAndGet();
  }

  void runBefore() {
    if (before != null) {
      before.run();
    }
  }

  /** Takes up to so many bytes of what is left of a disk. */
  int takeBytes(int wanted) {
    long left = bytesLeft.getAndUpdate(bytes -> Math.max(0, bytes - wanted));
    return (int) Math.min(left, wanted);
  }

  long bytesLeft() {
    return bytesLeft.get();
  }

  /** Which calls a fault is about. Immutable: each method gives a new rule. */
  public static final class Rule {
    private final Set<Operation> operations;
    private final FilePattern files;
    private final long firstCall;
    private final long lastCall;
    private final double chance;

    private Rule(
        Set<Operation> operations, FilePattern files, long first, long last, double chance) {
      this.operations = operations;
      this.files = files;
      this.firstCall = first;
      this.lastCall = last;
      this.chance = chance;
    }

    /**
     * Only on matching files: a name with {@code *} and {@code ?}, or such a path below the faulty
     * directory. A rename or link matches by either name; the faulty directory itself has the empty
     * path.
     */
    public Rule files(String pattern) {
      return new Rule(operations, FilePattern.of(pattern), firstCall, lastCall, chance);
    }

    /** Only on files of an SSTable component, such as {@code Data.db}, of any version and id. */
    public Rule component(String component) {
      return files("*-" + component);
    }

    /** Only on the n-th of the matching calls, counted from 1. */
    public Rule call(long n) {
      return calls(n, n);
    }

    /** From the n-th of the matching calls on, counted from 1. */
    public Rule fromCall(long n) {
      return calls(n, Long.MAX_VALUE);
    }

    private Rule calls(long first, long last) {
      if (first < 1) {
        throw new IllegalArgumentException("call " + first + ", allowed 1 and more");
      }
      return new Rule(operations, files, first, last, chance);
    }

    /** Only on a part of the calls, drawn by the directory's seed: 0 for none, 1 for all. */
    public Rule chance(double probability) {
      if (!(probability >= 0 && probability <= 1)) {
        throw new IllegalArgumentException("chance " + probability + ", allowed 0..1");
      }
      return new Rule(operations, files, firstCall, lastCall, probability);
    }

    /**
     * An {@code IOException} of that text, and the operation does not happen. Of a failed write any
     * part may have been written; of a failed sync, all or nothing may have become durable.
     */
    public Fault fails(String text) {
      return new Fault(this, Action.FAIL, text, null, 0);
    }

    /** The operation happens, but an {@code IOException} of that text is told. */
    public Fault failsAfterwards(String text) {
      return new Fault(this, Action.FAIL_AFTERWARDS, text, null, 0);
    }

    /** Reads fetch half of what was asked for, as if the file ended there. */
    public Fault readsShort() {
      require(Operation.READ, "short reads");
      return new Fault(this, Action.SHORT_READ, "reads short", null, 0);
    }

    /** Writes succeed for so many bytes, over all matching files; then the disk is full. */
    public Fault noSpaceAfter(long bytes) {
      require(Operation.WRITE, "a full disk");
      if (bytes < 0) {
        throw new IllegalArgumentException("room for " + bytes + " bytes, allowed 0 and more");
      }
      return new Fault(this, Action.NO_SPACE, NO_SPACE + " after " + bytes + " bytes", null, bytes);
    }

    /**
     * Something else runs before the operation, in its thread and with no lock held, such as
     * waiting until another thread has come so far.
     */
    public Fault runs(String what, Runnable before) {
      return new Fault(this, Action.RUN, what, before, 0);
    }

    /** The operation takes longer. An interrupt ends the delay and is kept. */
    public Fault delays(Duration delay) {
      return runs("delayed by " + delay, () -> pause(delay));
    }

    private static void pause(Duration delay) {
      try {
        Thread.sleep(delay.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void require(Operation only, String what) {
      if (!operations.equals(EnumSet.of(only))) {
        throw new IllegalArgumentException(
            what + " on " + operations + ", allowed only on " + only);
      }
    }

    /** The rule as a part of a sentence. */
    @Override
    public String toString() {
      StringJoiner kinds = new StringJoiner(" or ");
      operations.forEach(operation -> kinds.add(operation.toString()));
      StringBuilder sentence = new StringBuilder(kinds + " of " + files);
      if (firstCall == lastCall) {
        sentence.append(", call ").append(firstCall);
      } else if (firstCall > 1) {
        sentence.append(", from call ").append(firstCall);
      }
      if (chance < 1) {
        sentence.append(", chance ").append(chance);
      }
      return sentence.toString();
    }
  }
}
