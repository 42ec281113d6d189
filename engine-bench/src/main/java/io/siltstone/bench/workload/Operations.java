package io.siltstone.bench.workload;

import java.io.IOException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads of a profile on a table. Confined to one thread; several may work on a table.
 * The result of a read is kept until the next one, so that it can be checked after its time was
 * taken.
 */
public interface Operations {
  /** Writes a version of an item; versions begin at 1. */
  void write(long item, long version) throws IOException;

  /**
   * Reads something of an item.
   *
   * @return the number of rows found
   */
  int read(long item, SplittableRandom random) throws IOException;

  /**
   * Checks the result of the last read.
   *
   * @param completed number of writes of the item that had ended before the read; if it is equal to
   *     {@code begun}, all of them had, and there was no concurrent write
   * @param begun the last version that had begun when the read ended
   * @return what is wrong, or null
   */
  @Nullable String wrong(long completed, long begun);
}
