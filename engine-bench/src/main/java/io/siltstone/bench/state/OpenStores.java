package io.siltstone.bench.state;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The open stores of several partitions, which are closed together. Confined to one thread. */
final class OpenStores implements AutoCloseable {
  private final List<MeasuredStore> all = new ArrayList<>();

  /** Opens the stores of the first partitions. */
  OpenStores(StateStores stores, int count) throws IOException {
    try {
      for (int partition = 0; partition < count; partition++) {
        all.add(stores.open(partition));
      }
    } catch (IOException | RuntimeException e) {
      try {
        close();
      } catch (IOException | RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  List<MeasuredStore> all() {
    return all;
  }

  @Override
  public void close() throws IOException {
    for (MeasuredStore store : all) {
      store.close();
    }
    all.clear();
  }
}
