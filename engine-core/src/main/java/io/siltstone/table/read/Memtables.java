package io.siltstone.table.read;

import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import java.util.ArrayList;
import java.util.List;

/**
 * The memtables of a table at one moment. Immutable, safe for all threads; each change makes a new
 * record. It holds no references to the memtables: a reader acquires its own, which fails once the
 * memtable was flushed and released.
 *
 * @param active takes the writes
 * @param flushing are being written to SSTables, newest first
 * @param goneWith generation of a truncation: a reader whose view says that SSTables below this
 *     generation were dropped ignores the memtables in {@code flushing}, so that it sees the
 *     truncation as a whole
 */
public record Memtables(Memtable active, List<Memtable> flushing, long goneWith) {
  private static final long NEVER = Long.MAX_VALUE;

  /** Copies the list. */
  public Memtables {
    flushing = List.copyOf(flushing);
  }

  /** Returns the memtables of a table that has only an active one. */
  public static Memtables of(Memtable active) {
    return new Memtables(active, List.of(), NEVER);
  }

  /** Returns these with another active memtable; the present one is to be flushed. */
  public Memtables switchedTo(Memtable next) {
    List<Memtable> all = new ArrayList<>();
    all.add(active);
    all.addAll(flushing);
    return new Memtables(next, all, NEVER);
  }

  /**
   * Returns these without a memtable that was flushed.
   *
   * @throws IllegalArgumentException if it is not among those being flushed
   */
  public Memtables without(Memtable flushed) {
    List<Memtable> left = new ArrayList<>(flushing);
    if (!left.remove(flushed)) {
      throw new IllegalArgumentException("the memtable is not being flushed");
    }
    return new Memtables(active, left, left.isEmpty() ? NEVER : goneWith);
  }

  /** Returns these with another active memtable in place of an empty one. */
  public Memtables restartedWith(Memtable next) {
    return new Memtables(next, flushing, goneWith);
  }

  /**
   * Returns these with all flushing memtables marked as truncated together with the SSTables of
   * lesser generations.
   */
  public Memtables goingWith(long generation) {
    return flushing.isEmpty() ? this : new Memtables(active, flushing, generation);
  }

  /** Returns how many memtables, from the newest, are not truncated according to a view. */
  int remaining(View view) {
    return view.droppedBelow() >= goneWith ? 1 : size();
  }

  /** Returns how many memtables there are. */
  public int size() {
    return 1 + flushing.size();
  }

  /** Returns a memtable, from 0, the newest and active one, to the oldest. */
  public Memtable get(int index) {
    return index == 0 ? active : flushing.get(index - 1);
  }
}
