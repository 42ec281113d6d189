package io.siltstone.tools.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Merges sorted runs. Equal records are returned in the order of their runs in the list. Closes the
 * runs.
 */
final class RunMerge implements RecordStream {
  private final RecordOrder order;
  private final List<RecordStream> all;

  // A binary heap of the runs that are not at their end, with the least record on top.
  private final RecordStream[] heap;
  private final int[] ordinals;
  private final long[] tokens;
  private int size;
  private boolean started;

  RunMerge(RecordOrder order, List<RecordStream> runs) {
    this.order = order;
    this.all = new ArrayList<>(runs);
    this.heap = new RecordStream[runs.size()];
    this.ordinals = new int[runs.size()];
    this.tokens = new long[runs.size()];
  }

  @Override
  public boolean next() throws IOException {
    if (!started) {
      started = true;
      for (int i = 0; i < all.size(); i++) {
        RecordStream run = all.get(i);
        if (run.next()) {
          heap[size] = run;
          ordinals[size] = i;
          tokens[size] = RecordFormat.token(run.bytes(), run.from());
          size++;
        }
      }
      for (int i = size / 2 - 1; i >= 0; i--) {
        siftDown(i);
      }
      return size > 0;
    }
    if (size == 0) {
      return false;
    }
    RecordStream top = heap[0];
    if (top.next()) {
      tokens[0] = RecordFormat.token(top.bytes(), top.from());
    } else {
      size--;
      heap[0] = heap[size];
      ordinals[0] = ordinals[size];
      tokens[0] = tokens[size];
    }
    siftDown(0);
    return size > 0;
  }

  private void siftDown(int start) {
    int parent = start;
    while (true) {
      int child = 2 * parent + 1;
      if (child >= size) {
        return;
      }
      if (child + 1 < size && isBefore(child + 1, child)) {
        child++;
      }
      if (!isBefore(child, parent)) {
        return;
      }
      swap(child, parent);
      parent = child;
    }
  }

  private boolean isBefore(int left, int right) {
    if (tokens[left] != tokens[right]) {
      return tokens[left] < tokens[right];
    }
    int compared =
        order.compareWithinToken(
            heap[left].bytes(), heap[left].from(), heap[right].bytes(), heap[right].from());
    return compared != 0 ? compared < 0 : ordinals[left] < ordinals[right];
  }

  private void swap(int left, int right) {
    RecordStream run = heap[left];
    heap[left] = heap[right];
    heap[right] = run;
    int ordinal = ordinals[left];
    ordinals[left] = ordinals[right];
    ordinals[right] = ordinal;
    long token = tokens[left];
    tokens[left] = tokens[right];
    tokens[right] = token;
  }

  @Override
  public byte[] bytes() {
    return heap[0].bytes();
  }

  @Override
  public int from() {
    return heap[0].from();
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (RecordStream run : all) {
      try {
        run.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
