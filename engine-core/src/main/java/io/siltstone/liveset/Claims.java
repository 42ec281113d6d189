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
  private final Set<Descriptor> claimed = new HashSet<>();
  private int loads;
  private @Nullable Runnable whenNone;

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

  /** Returns the SSTables that are claimed now. */
  Set<Descriptor> all() {
    return Set.copyOf(claimed);
  }

  /**
   * Ends a transaction, which is a claim if it is a compaction or an import.
   *
   * @return the action that waited for the end of the last claim, if this was it; to be run without
   *     the lock
   */
  @Nullable Runnable end(LiveSetChange.Cause cause, List<CountedSSTable> inputs) {
    if (cause == LiveSetChange.Cause.IMPORT) {
      loads--;
    } else if (cause == LiveSetChange.Cause.COMPACTION) {
      inputs.forEach(input -> claimed.remove(input.table.descriptor()));
    } else {
      return null;
    }
    if (!claimed.isEmpty() || loads > 0) {
      return null;
    }
    Runnable next = whenNone;
    whenNone = null;
    return next;
  }

  /**
   * Keeps an action until the last claim ends.
   *
   * @return false if there is no claim, and the action is not kept
   */
  boolean keepUntilNone(Runnable action) {
    if (claimed.isEmpty() && loads == 0) {
      return false;
    }
    whenNone = action;
    return true;
  }
}
