package io.siltstone.bench.workload;

import java.io.IOException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads of a profile on a table. Confined to one thread; several may work on a table.
 * What a read has found stays here until the next, so that it is checked when its time has been
 * taken.
 */
public interface Operations {
  /** Writes a version of an item; versions begin at 1. */
  void write(long item, long version) throws IOException;

  /**
   * Reads something of an item.
   *
   * @return rows found
   */
  int read(long item, SplittableRandom random) throws IOException;

  /**
   * What is wrong with what was read last.
   *
   * @param completed so many writes of the item had ended before the read; if it is equal to {@code
   *     begun}, all of them, and nobody wrote meanwhile
   * @param begun the last version that was begun when the read ended
   * @return null if it is as it should be
   */
  @Nullable String wrong(long completed, long begun);
}
