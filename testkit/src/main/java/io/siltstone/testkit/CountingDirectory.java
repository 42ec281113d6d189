package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ForwardingWritableFile;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/**
 * Counts the operations on another directory, its children and their files: successful operations
 * by kind and file, and for reads and writes their bytes.
 *
 * <p>A rename or link counts for the new name. Safe for use by all threads, as far as the wrapped
 * directory is.
 */
public final class CountingDirectory extends InterceptedDirectory {
  private final Map<Key, Counter> counters;

  /** Wraps {@code inner}. */
  public CountingDirectory(Directory inner) {
    this(inner, "", new ConcurrentHashMap<>());
  }

  private CountingDirectory(Directory inner, String relative, Map<Key, Counter> counters) {
    super(inner, relative);
    this.counters = counters;
  }

  private record Key(Operation operation, String path) {}

  private static final class Counter {
    private final LongAdder operations = new LongAdder();
    private final LongAdder bytes = new LongAdder();
  }

  /** Returns the number of operations of that kind, on all files. */
  public long count(Operation operation) {
    return count(operation, "*");
  }

  /**
   * Returns the number of operations of that kind on matching files.
   *
   * @param files a name with {@code *} and {@code ?}, or such a path below this directory
   */
  public long count(Operation operation, String files) {
    return sum(operation, files, counter -> counter.operations.sum());
  }

  /** Returns the bytes of all {@link Operation#READ}s or {@link Operation#WRITE}s. */
  public long bytes(Operation operation) {
    return bytes(operation, "*");
  }

  /**
   * Returns the bytes of all {@link Operation#READ}s or {@link Operation#WRITE}s on matching files.
   */
  public long bytes(Operation operation, String files) {
    return sum(operation, files, counter -> counter.bytes.sum());
  }

  private long sum(Operation operation, String files, ToLongFunction<Counter> value) {
    FilePattern pattern = FilePattern.of(files);
    return counters.entrySet().stream()
        .filter(entry -> entry.getKey().operation == operation)
        .filter(entry -> pattern.matches(entry.getKey().path))
        .mapToLong(entry -> value.applyAsLong(entry.getValue()))
        .sum();
  }

  /** Resets all counts to zero, also for open files. */
  public void reset() {
    counters.clear();
  }

  /** Returns all counts, one line per file and kind of operation, for messages of failed tests. */
  public String report() {
    Map<String, String> lines = new TreeMap<>();
    counters.forEach(
        (key, counter) ->
            lines.put(
                (key.path.isEmpty() ? "." : key.path) + " " + key.operation,
                counter.operations.sum()
                    + (counter.bytes.sum() == 0 ? "" : ", " + counter.bytes.sum() + " bytes")));
    StringBuilder report = new StringBuilder();
    lines.forEach((what, value) -> report.append(what).append(": ").append(value).append('\n'));
    return report.toString();
  }

  private void add(Operation operation, String path, long bytes) {
    Counter counter = counters.computeIfAbsent(new Key(operation, path), missing -> new Counter());
    counter.operations.increment();
    counter.bytes.add(bytes);
  }

  @Override
  <T> T perform(Operation operation, String path, String other, Call<T> call) throws IOException {
    T result = call.run();
    add(operation, other, 0);
    return result;
  }

  @Override
  Directory wrapChild(Directory child, String path) {
    return new CountingDirectory(child, path, counters);
  }

  @Override
  ReadableFile wrapReader(ReadableFile file, String path) {
    return new Reader(file, path);
  }

  @Override
  WritableFile wrapWriter(WritableFile file, String path) {
    return new Writer(file, path);
  }

  private final class Reader extends ForwardingReadableFile {
    private final String relative;

    Reader(ReadableFile file, String relative) {
      super(file);
      this.relative = relative;
    }

    @Override
    public int read(long position, ByteBuffer dst) throws IOException {
      int count = super.read(position, dst);
      add(Operation.READ, relative, count);
      return count;
    }
  }

  private final class Writer extends ForwardingWritableFile {
    private final String relative;

    Writer(WritableFile file, String relative) {
      super(file);
      this.relative = relative;
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
      int count = src.remaining();
      super.write(src);
      add(Operation.WRITE, relative, count);
    }

    @Override
    public void sync() throws IOException {
      super.sync();
      add(Operation.SYNC, relative, 0);
    }
  }
}
