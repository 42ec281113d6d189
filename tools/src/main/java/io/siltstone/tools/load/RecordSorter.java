package io.siltstone.tools.load;

import io.siltstone.io.Directory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts any number of records in bounded memory (external merge sort): what does not fit goes to
 * temporary files in sorted runs, which are merged, a bounded number at a time, in several passes
 * if necessary. Equal records keep the order in which they were added. Confined to one thread;
 * closing removes the files.
 */
final class RecordSorter implements Closeable {
  private static final int MAX_FAN_IN = 64;
  private static final int MAX_BUFFER_BYTES = 1 << 20;
  private static final int MIN_BUFFER_BYTES = 4 << 10;

  /** With a smaller buffer per run, the disk would spend more time seeking than reading. */
  private static final int GOOD_BUFFER_BYTES = 256 << 10;

  private final RecordOrder order;
  private final RunFiles files;
  private final RecordArena arena;
  private final CancelFlag stop;
  private final int fanIn;
  private final int bufferBytes;
  private final KeyCardinality keys = new KeyCardinality();
  private List<String> runs = new ArrayList<>();
  private int passes;

  /**
   * @param directory of the temporary files
   * @param prefix of their names
   * @param budgetBytes memory for records; at least two fit
   * @param stop ends the sort, and the reading of its result
   */
  RecordSorter(
      RecordOrder order, Directory directory, String prefix, long budgetBytes, CancelFlag stop) {
    this.stop = stop;
    this.order = order;
    this.files = new RunFiles(directory, prefix);
    this.arena = new RecordArena(order, budgetBytes);
    this.fanIn = (int) Math.max(2, Math.min(MAX_FAN_IN, budgetBytes / GOOD_BUFFER_BYTES));
    this.bufferBytes =
        (int) Math.max(MIN_BUFFER_BYTES, Math.min(MAX_BUFFER_BYTES, budgetBytes / (fanIn + 1)));
  }

  /**
   * Reserves space for a record, which the caller writes before the next call.
   *
   * @return index in {@link #bytes()} of its first byte
   */
  int allocate(int length, long token) throws IOException {
    if (arena.isFull(length)) {
      spill();
    }
    return arena.allocate(length, token);
  }

  /** Returns the array in which {@link #allocate} reserved space last. */
  byte[] bytes() {
    return arena.bytes();
  }

  private void spill() throws IOException {
    arena.sort();
    try (RecordStream records = inMemory()) {
      runs.add(write(records, true));
    }
    arena.clear();
  }

  private RecordStream inMemory() {
    return new CancellableStream(arena.stream(), stop);
  }

  private String write(RecordStream records, boolean isNew) throws IOException {
    try (RunWriter writer = new RunWriter(ByteBuffer.allocate(bufferBytes), files.create())) {
      while (records.next()) {
        writer.add(records.bytes(), records.from());
        if (isNew) {
          keys.add(records.bytes(), records.from());
        }
      }
      writer.flush();
    }
    return files.last();
  }

  /**
   * Ends the input.
   *
   * @return all records in order; the caller closes the stream before this sorter
   */
  RecordStream finish() throws IOException {
    if (runs.isEmpty()) {
      arena.sort();
      return inMemory();
    }
    if (arena.count() > 0) {
      spill();
    }
    arena.release();
    while (runs.size() > fanIn) {
      mergeOnce();
    }
    passes++;
    return open(runs);
  }

  /**
   * Merges all runs once. Each group of neighbors becomes one run, so that the order of equal
   * records stays.
   */
  private void mergeOnce() throws IOException {
    List<String> merged = new ArrayList<>();
    for (int i = 0; i < runs.size(); i += fanIn) {
      List<String> group = runs.subList(i, Math.min(i + fanIn, runs.size()));
      if (group.size() == 1) {
        merged.add(group.get(0));
        continue;
      }
      try (RecordStream records = open(group)) {
        merged.add(write(records, false));
      }
      for (String run : group) {
        files.delete(run);
      }
    }
    runs = merged;
    passes++;
  }

  private RecordStream open(List<String> names) throws IOException {
    List<RecordStream> readers = new ArrayList<>(names.size());
    try {
      for (String name : names) {
        readers.add(new RunReader(new byte[bufferBytes], files.open(name)));
      }
      return new CancellableStream(new RunMerge(order, readers), stop);
    } catch (Throwable e) {
      for (RecordStream reader : readers) {
        try {
          reader.close();
        } catch (IOException | RuntimeException suppressed) {
          e.addSuppressed(suppressed);
        }
      }
      throw e;
    }
  }

  /** Returns the approximate number of partitions, at least 1. Call it after {@link #finish}. */
  long partitions() {
    return Math.max(1, runs.isEmpty() ? arena.partitions() : keys.estimate());
  }

  /** Returns how many temporary files were created so far. */
  int filesMade() {
    return files.made();
  }

  /** Returns how many times the records were merged. */
  int passes() {
    return passes;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
