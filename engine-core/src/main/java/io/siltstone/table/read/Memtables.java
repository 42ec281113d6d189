package io.siltstone.table.read;

import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import java.util.ArrayList;
import java.util.List;

/**
 * The memtables of a table at one moment. Immutable, safe for all threads; each change makes
 * another one. Holds no references to the memtables: whoever reads one takes its own, which fails
 * once the memtable has been flushed and given up.
 *
 * @param active takes the writes
 * @param flushing are being written to SSTables, newest first
 * @param goneWith those that are flushing are gone from where a view of the SSTables says that this
 *     generation was dropped: a truncation takes both away at once
 */
public record Memtables(Memtable active, List<Memtable> flushing, long goneWith) {
  private static final long NEVER = Long.MAX_VALUE;

  /** Copies the list. */
  public Memtables {
    flushing = List.copyOf(flushing);
  }

  /** Of a table that has only an active one. */
  public static Memtables of(Memtable active) {
    return new Memtables(active, List.of(), NEVER);
  }

  /** With another active one; the present one is to be flushed. */
  public Memtables switchedTo(Memtable next) {
    List<Memtable> all = new ArrayList<>();
    all.add(active);
    all.addAll(flushing);
    return new Memtables(next, all, NEVER);
  }

  /**
   * Without one that has been flushed.
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

  /** With another active one in place of one that has nothing. */
  public Memtables restartedWith(Memtable next) {
    return new Memtables(next, flushing, goneWith);
  }

  /** With those that are flushing to be gone with the SSTables of lesser generations. */
  public Memtables goingWith(long generation) {
    return flushing.isEmpty() ? this : new Memtables(active, flushing, generation);
  }

  /** How many, from the newest, are not gone with what a view says was dropped. */
  int remaining(View view) {
    return view.droppedBelow() >= goneWith ? 1 : size();
  }

  /** How many there are. */
  public int size() {
    return 1 + flushing.size();
  }

  /** From the newest, which is the active one, to the oldest. */
  public Memtable get(int index) {
    return index == 0 ? active : flushing.get(index - 1);
  }
}
