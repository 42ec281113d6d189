package io.siltstone.bench.state;

import java.io.IOException;

/** The state stores of an instance of an application. Confined to one thread. */
public interface StateStores {
  /**
   * Opens the store of a partition, and creates it if there is none. The caller closes it.
   *
   * @param partition from 0 on
   */
  MeasuredStore open(int partition) throws IOException;

  /**
   * Returns the memory outside of the heap in bytes that all open stores take up according to the
   * metrics that users see.
   */
  long reportedBytes();
}
