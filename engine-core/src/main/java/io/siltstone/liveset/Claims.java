package io.siltstone.liveset;

import io.siltstone.sstable.format.Descriptor;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which SSTables of a live set are claimed. Guarded by the live set's lock. */
final class Claims {
  private final Set<Descriptor> claimed = new HashSet<>();
  private @Nullable Runnable whenNone;

  boolean has(Descriptor table) {
    return claimed.contains(table);
  }

  /** Those that are claimed now. */
  Set<Descriptor> all() {
    return Set.copyOf(claimed);
  }

  void add(Collection<Descriptor> tables) {
    claimed.addAll(tables);
  }

  /**
   * Ends a claim.
   *
   * @return what waited for the last one to end, if it was this one; to be run without the lock
   */
  @Nullable Runnable remove(Collection<Descriptor> tables) {
    tables.forEach(claimed::remove);
    if (!claimed.isEmpty()) {
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
    if (claimed.isEmpty()) {
      return false;
    }
    whenNone = action;
    return true;
  }
}
