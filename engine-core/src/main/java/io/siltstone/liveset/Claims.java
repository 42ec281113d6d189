package io.siltstone.liveset;

import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.format.Descriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which SSTables of a live set are claimed, and how many loads without inputs are open.
 * Guarded by the lock of the live set.
 */
final class Claims {
  private final CurrentView current;
  private final Set<Descriptor> claimed = new HashSet<>();
  private int loads;
  private @Nullable Runnable whenNone;

  Claims(CurrentView current) {
    this.current = current;
  }

  /**
   * Claims SSTables.
   *
   * @return all of them; empty if one is not in the view or is claimed, and none was claimed
   */
  List<CountedSSTable> claim(Set<Descriptor> tables, View view) {
    Map<Descriptor, CountedSSTable> live = new HashMap<>();
    view.tracked().forEach(counted -> live.put(counted.table.descriptor(), counted));
    List<CountedSSTable> taken = new ArrayList<>();
    for (Descriptor table : tables) {
      CountedSSTable counted = live.get(table);
      if (counted == null || claimed.contains(table)) {
        return List.of();
      }
      taken.add(counted);
    }
    claimed.addAll(tables);
    return taken;
  }

  /** Begins a claim without inputs, which may write and remove files. */
  void beginLoad() {
    loads++;
  }

  /** Returns the SSTables that are claimed now. Called without the lock. */
  Set<Descriptor> all() {
    current.lock();
    try {
      return Set.copyOf(claimed);
    } finally {
      current.unlock();
    }
  }

  /**
   * Releases the inputs of a transaction, which is a claim if it is a compaction or an import, and
   * runs the action that has waited for the end of the last claim, if this was it. Called without
   * the lock.
   */
  void release(LiveSetChange.Cause cause, List<CountedSSTable> inputs) {
    current.lock();
    @Nullable Runnable next;
    try {
      next = end(cause, inputs);
    } finally {
      current.unlock();
    }
    inputs.forEach(CountedSSTable::release);
    if (next != null) {
      next.run();
    }
  }

  private @Nullable Runnable end(LiveSetChange.Cause cause, List<CountedSSTable> inputs) {
    if (cause != LiveSetChange.Cause.IMPORT && cause != LiveSetChange.Cause.COMPACTION) {
      return null;
    }
    if (cause == LiveSetChange.Cause.IMPORT) {
      loads--;
    }
    inputs.forEach(input -> claimed.remove(input.table.descriptor()));
    if (!claimed.isEmpty() || loads > 0) {
      return null;
    }
    Runnable next = whenNone;
    whenNone = null;
    return next;
  }

  /**
   * Runs an action when there is no claim any more: at once, or when the last one is released.
   * Called without the lock.
   *
   * @throws IllegalStateException if the live set is open, so that there may be further claims
   */
  void whenNone(Runnable action) {
    current.lock();
    try {
      if (!current.isClosed()) {
        throw new IllegalStateException("the live set is open");
      }
      if (!claimed.isEmpty() || loads > 0) {
        whenNone = action;
        return;
      }
    } finally {
      current.unlock();
    }
    action.run();
  }
}
