package io.siltstone.table;

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
 */
record Memtables(Memtable active, List<Memtable> flushing) {

  /** Copies the list. */
  Memtables {
    flushing = List.copyOf(flushing);
  }

  /** Of a table that has only an active one. */
  static Memtables of(Memtable active) {
    return new Memtables(active, List.of());
  }

  /** With another active one; the present one is to be flushed. */
  Memtables switchedTo(Memtable next) {
    List<Memtable> all = new ArrayList<>();
    all.add(active);
    all.addAll(flushing);
    return new Memtables(next, all);
  }

  /**
   * Without one that has been flushed.
   *
   * @throws IllegalArgumentException if it is not among those being flushed
   */
  Memtables without(Memtable flushed) {
    List<Memtable> left = new ArrayList<>(flushing);
    if (!left.remove(flushed)) {
      throw new IllegalArgumentException("the memtable is not being flushed");
    }
    return new Memtables(active, left);
  }

  /** How many there are. */
  int size() {
    return 1 + flushing.size();
  }

  /** From the newest, which is the active one, to the oldest. */
  Memtable get(int index) {
    return index == 0 ? active : flushing.get(index - 1);
  }
}
