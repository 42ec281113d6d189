package io.siltstone.testkit;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A rule for one fault: on which operations, files and calls it happens, and how.
 *
 * <pre>{@code
 * Fault full = Fault.on(WRITE).component("Data.db").noSpaceAfter(100_000);
 * Fault sync = Fault.on(SYNC, SYNC_DIRECTORY).call(3).fails("Input/output error");
 * Directory disk = new FaultyDirectory(new MemoryDirectory(), seed, full, sync);
 * }</pre>
 *
 * <p>Its text is a sentence. It counts its calls, so it belongs to one {@link FaultyDirectory}.
 * Safe for use by all threads.
 */
public final class Fault {
  /** The kernel's message for a full disk. */
  public static final String NO_SPACE = "No space left on device";

  enum Action {
    /**
     * Throws an exception instead of the operation; a write may be done in part, and a sync as
     * well.
     */
    FAIL,
    /** Does the operation, and throws an exception nevertheless. */
    FAIL_AFTERWARDS,
    /** Makes a read return half of the data. */
    SHORT_READ,
    /** Lets writes succeed as long as there is space. */
    NO_SPACE,
    /** Runs something before the operation. */
    RUN
  }

  private final Rule rule;
  private final Action action;
  private final String text;
  private final @Nullable Runnable before;
  private final AtomicLong bytesLeft;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong fired = new AtomicLong();
  private volatile boolean isArmed;

  private Fault(Rule rule, Action action, String text, @Nullable Runnable before, long bytes) {
    this.rule = rule;
    this.action = action;
    this.text = text;
    this.before = before;
    this.bytesLeft = new AtomicLong(bytes);
    this.isArmed = rule.isArmed;
  }

  /**
   * Begins a rule for these kinds of operations, which applies to every call on all files at first.
   */
  public static Rule on(Operation first, Operation... more) {
    return new Rule(EnumSet.of(first, more), FilePattern.ALL, 1, Long.MAX_VALUE, 1, true);
  }

  /** Makes a fault that ignored all calls apply to those from now on, which count from 1. */
  public void arm() {
    isArmed = true;
  }

  /** Returns how often this fault happened. */
  public long fired() {
    return fired.get();
  }

  /**
   * Adds space to a disk that is full, or will be.
   *
   * @throws IllegalStateException if this is not the fault of a full disk
   */
  public void giveSpace(long bytes) {
    if (action != Action.NO_SPACE) {
      throw new IllegalStateException("room on a disk that is not full: " + this);
    }
    bytesLeft.addAndGet(bytes);
  }

  /** Returns how often an operation matched by kind and file, whether or not the fault happened. */
  public long calls() {
    return calls.get();
  }

  /** Returns the rule as a sentence. */
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

  /** Counts the call if it matches by kind and file, and returns whether the rule applies to it. */
  boolean meets(Operation operation, String path, String other, Draw draw) {
    if (!isArmed
        || !rule.operations.contains(operation)
        || !(rule.files.matches(path) || rule.files.matches(other))) {
      return false;
    }
    long call = calls.incrementAndGet();
    return call >= rule.firstCall
        && call <= rule.lastCall
        && (rule.chance >= 1 || draw.next() < rule.chance);
  }

  /** A random number from 0 to 1. */
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

  /** Takes up to that many bytes of the remaining space. */
  int takeBytes(int wanted) {
    long left = bytesLeft.getAndUpdate(bytes -> Math.max(0, bytes - wanted));
    return (int) Math.min(left, wanted);
  }

  long bytesLeft() {
    return bytesLeft.get();
  }

  /** The calls to which a fault applies. Immutable: each method returns a new rule. */
  public static final class Rule {
    private final Set<Operation> operations;
    private final FilePattern files;
    private final long firstCall;
    private final long lastCall;
    private final double chance;
    private final boolean isArmed;

    private Rule(
        Set<Operation> operations,
        FilePattern files,
        long first,
        long last,
        double chance,
        boolean isArmed) {
      this.operations = operations;
      this.files = files;
      this.firstCall = first;
      this.lastCall = last;
      this.chance = chance;
      this.isArmed = isArmed;
    }

    /**
     * Restricts the rule to matching files: a name with {@code *} and {@code ?}, or such a path
     * below the faulty directory. A rename or link matches by either name; the faulty directory
     * itself has the empty path.
     */
    public Rule files(String pattern) {
      return files(FilePattern.of(pattern));
    }

    private Rule files(FilePattern pattern) {
      return new Rule(operations, pattern, firstCall, lastCall, chance, isArmed);
    }

    /**
     * Restricts the rule to files of an SSTable component, such as {@code Data.db}, of any version
     * and id, also while they are written under a temporary name.
     */
    public Rule component(String component) {
      return files(FilePattern.ofComponent(component));
    }

    /** Restricts the rule to the n-th of the matching calls, counted from 1. */
    public Rule call(long n) {
      return calls(n, n);
    }

    /** Restricts the rule to the n-th of the matching calls and all after it, counted from 1. */
    public Rule fromCall(long n) {
      return calls(n, Long.MAX_VALUE);
    }

    private Rule calls(long first, long last) {
      if (first < 1) {
        throw new IllegalArgumentException("call " + first + ", allowed 1 or more");
      }
      return new Rule(operations, files, first, last, chance, isArmed);
    }

    /** Restricts the rule to a random part of the calls: 0 for none, 1 for all. */
    public Rule chance(double probability) {
      if (!(probability >= 0 && probability <= 1)) {
        throw new IllegalArgumentException("chance " + probability + ", allowed 0 to 1");
      }
      return new Rule(operations, files, firstCall, lastCall, probability, isArmed);
    }

    /**
     * Makes the fault ignore all calls until {@link Fault#arm}, for the n-th call after a
     * preparation whose number of calls is not always the same: an opening, for example, reads less
     * if the clock shows that no file was written after the record of the close.
     */
    public Rule disarmed() {
      return new Rule(operations, files, firstCall, lastCall, chance, false);
    }

    /**
     * Throws an {@code IOException} with that text, and the operation does not happen. After a
     * failed write, any part may have been written; after a failed sync, everything or nothing may
     * have become durable.
     */
    public Fault fails(String text) {
      return new Fault(this, Action.FAIL, text, null, 0);
    }

    /** Does the operation, and throws an {@code IOException} with that text nevertheless. */
    public Fault failsAfterwards(String text) {
      return new Fault(this, Action.FAIL_AFTERWARDS, text, null, 0);
    }

    /** Makes reads return half of what was asked for, as if the file ended there. */
    public Fault readsShort() {
      require(Operation.READ, "short reads");
      return new Fault(this, Action.SHORT_READ, "reads short", null, 0);
    }

    /** Lets writes succeed for that many bytes, over all matching files; then the disk is full. */
    public Fault noSpaceAfter(long bytes) {
      require(Operation.WRITE, "a full disk");
      if (bytes < 0) {
        throw new IllegalArgumentException("room for " + bytes + " bytes, allowed 0 or more");
      }
      return new Fault(this, Action.NO_SPACE, NO_SPACE + " after " + bytes + " bytes", null, bytes);
    }

    /**
     * Runs something before the operation, in its thread and without a lock, such as waiting for
     * another thread.
     */
    public Fault runs(String what, Runnable before) {
      return new Fault(this, Action.RUN, what, before, 0);
    }

    /** Delays the operation. An interrupt ends the delay, and the thread stays interrupted. */
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

    /** Returns the rule as a part of a sentence. */
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
