package io.siltstone.compaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The writes to the rows of a table, each row by one thread, and the removals of all rows; and what
 * may be seen of them. Times are those of a counter: a lower time is earlier. Safe for all threads.
 */
final class TruncationHistory {
  private static final long NEVER = Long.MAX_VALUE;

  private final AtomicLong clock = new AtomicLong();
  private final Map<Integer, List<Write>> writes = new HashMap<>();
  private final List<Removal> removals = new ArrayList<>();

  /** A write of a row; {@code acknowledged} is {@link #NEVER} if it is not known whether it was. */
  private static final class Write {
    private final long value;
    private final long began;
    private long acknowledged = NEVER;

    Write(long value, long began) {
      this.value = value;
      this.began = began;
    }
  }

  /** A removal of all rows; {@code ended} is {@link #NEVER} while it goes on. */
  private static final class Removal {
    private final long began;
    private long ended = NEVER;

    Removal(long began) {
      this.began = began;
    }
  }

  long now() {
    return clock.incrementAndGet();
  }

  /** Begins a write of a row, whose value is greater than earlier ones. */
  synchronized void write(int row, long value) {
    of(row).add(new Write(value, now()));
  }

  /** Notes that the last write of a row was acknowledged. */
  synchronized void acknowledge(int row) {
    last(row).acknowledged = now();
  }

  /** Notes that the last write of a row was refused, and had no effect. */
  synchronized void forget(int row) {
    List<Write> of = of(row);
    of.remove(of.size() - 1);
  }

  private List<Write> of(int row) {
    return writes.computeIfAbsent(row, first -> new ArrayList<>());
  }

  private Write last(int row) {
    List<Write> of = of(row);
    return of.get(of.size() - 1);
  }

  /** Begins a removal of all rows. */
  synchronized void remove() {
    removals.add(new Removal(now()));
  }

  /** Notes that the last removal is done. */
  synchronized void removed() {
    removals.get(removals.size() - 1).ended = now();
  }

  /**
   * Returns what is wrong with the values seen, or null.
   *
   * @param seen value by row
   * @param from writes that had ended by then must be seen
   * @param to writes that had not begun by then must not be seen
   */
  synchronized @Nullable String wrong(Map<Integer, Long> seen, long from, long to) {
    for (Map.Entry<Integer, Long> each : seen.entrySet()) {
      if (!writes.containsKey(each.getKey())) {
        return "row " + each + " was never written";
      }
    }
    for (Map.Entry<Integer, List<Write>> each : writes.entrySet()) {
      String wrong = wrong(each.getKey(), seen.get(each.getKey()), from, to);
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  /** Checks one row as the other method does. */
  synchronized @Nullable String wrong(int row, @Nullable Long seen, long from, long to) {
    String wrong = wrong(writes.getOrDefault(row, List.of()), seen, from, to);
    return wrong == null ? null : "row " + row + " with " + seen + ": " + wrong;
  }

  private @Nullable String wrong(List<Write> of, @Nullable Long seen, long from, long to) {
    @Nullable Write shown = null;
    @Nullable Write newest = null;
    for (Write write : of) {
      if (seen != null && write.value == seen) {
        shown = write;
      }
      if (write.acknowledged < from) {
        newest = write;
      }
    }
    if (shown == null) {
      return seen != null ? "was never written" : newest == null ? null : missing(newest, to);
    }
    if (shown.began > to) {
      return "was not written yet";
    }
    if (newest != null && newest.value > shown.value) {
      return newest.value + " was acknowledged";
    }
    for (Removal removal : removals) {
      if (shown.acknowledged < removal.began && removal.ended < from) {
        return "was removed from " + removal.began + " to " + removal.ended + ", seen at " + from;
      }
    }
    return null;
  }

  /** An acknowledged write is missing only if a removal may have come after it. */
  private @Nullable String missing(Write write, long to) {
    boolean isRemoved =
        removals.stream().anyMatch(each -> each.ended > write.began && each.began < to);
    return isRemoved ? null : write.value + " was acknowledged, and never removed";
  }
}
