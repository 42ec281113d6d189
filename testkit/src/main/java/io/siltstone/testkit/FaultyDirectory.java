package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ForwardingWritableFile;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.SyncFailedException;
import io.siltstone.io.UnreadableFileException;
import io.siltstone.io.WritableFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A directory in which {@link Fault}s happen, also in its children and their files.
 *
 * <p>After a failed write or sync the content of the file is undefined: the seed decides how much
 * of it is there, or durable, and the writer rejects everything but close, as the contract says.
 * Every injected exception names the path and the rule. Safe for use by all threads, as far as the
 * wrapped directory is; for concurrent operations, random decisions are made in the order of their
 * calls.
 */
public final class FaultyDirectory extends InterceptedDirectory {
  private final Faults faults;

  /**
   * Wraps {@code inner}.
   *
   * @param seed of all random decisions
   */
  public FaultyDirectory(Directory inner, long seed, Fault... faults) {
    this(inner, "", new Faults(seed, List.of(faults)));
  }

  private FaultyDirectory(Directory inner, String relative, Faults faults) {
    super(inner, relative);
    this.faults = faults;
  }

  /** Returns how often any fault happened. */
  public long fired() {
    return faults.list.stream().mapToLong(Fault::fired).sum();
  }

  /** Returns the seed, the rules, and how often each happened, for messages of failed tests. */
  public String report() {
    StringBuilder report = new StringBuilder("seed " + faults.seed + "\n");
    faults.list.forEach(
        fault -> report.append(fault).append(" (").append(fault.fired()).append(" times)\n"));
    return report.toString();
  }

  /** The rules and the random source, shared by a directory and all directories below it. */
  private static final class Faults {
    private final long seed;
    private final List<Fault> list;
    private final Random random;

    Faults(long seed, List<Fault> list) {
      this.seed = seed;
      this.list = list;
      this.random = Seeds.random(seed);
    }

    /** Returns the faults of one call; those that run something have done so. */
    List<Fault> meet(Operation operation, String path, String other) {
      List<Fault> met = new ArrayList<>();
      for (Fault fault : list) {
        if (fault.meets(operation, path, other, random::nextDouble)) {
          if (fault.action() == Fault.Action.RUN) {
            fault.noteFired();
            fault.runBefore();
          } else {
            met.add(fault);
          }
        }
      }
      return met;
    }

    int draw(int bound) {
      return random.nextInt(bound);
    }
  }

  private static @Nullable Fault find(List<Fault> met, Fault.Action action) {
    for (Fault fault : met) {
      if (fault.action() == action) {
        return fault;
      }
    }
    return null;
  }

  private static IOException failure(String fullPath, Fault fault, String text) {
    fault.noteFired();
    return new IOException(fullPath + ": " + text + " (injected: " + fault + ")");
  }

  private String fullPath(String relativePath) {
    return path() + "/" + relativePath.substring(relativePath.lastIndexOf('/') + 1);
  }

  @Override
  <T> T perform(Operation operation, String path, String other, Call<T> call) throws IOException {
    List<Fault> met = faults.meet(operation, path, other);
    Fault failing = find(met, Fault.Action.FAIL);
    if (failing != null) {
      throw failure(operation, path, failing);
    }
    T result = call.run();
    Fault late = find(met, Fault.Action.FAIL_AFTERWARDS);
    if (late != null) {
      if (result instanceof Closeable opened) {
        opened.close();
      }
      throw failure(operation, path, late);
    }
    return result;
  }

  private IOException failure(Operation operation, String path, Fault fault) {
    String place = placeOf(operation, path);
    IOException failure = failure(place, fault, fault.text());
    return operation == Operation.SYNC_DIRECTORY
        ? new SyncFailedException(place, failure)
        : failure;
  }

  private String placeOf(Operation operation, String path) {
    return operation == Operation.LIST || operation == Operation.SYNC_DIRECTORY
        ? path()
        : fullPath(path);
  }

  @Override
  Directory wrapChild(Directory child, String path) {
    return new FaultyDirectory(child, path, faults);
  }

  @Override
  ReadableFile wrapReader(ReadableFile file, String path) {
    return new Reader(file, path);
  }

  @Override
  WritableFile wrapWriter(WritableFile file, String path) {
    return new Writer(file, path);
  }

  /**
   * Returns the usable space of the wrapped directory, or what the fullest disk of a rule leaves if
   * that is less.
   */
  @Override
  public long usableSpace() throws IOException {
    long usable = super.usableSpace();
    for (Fault fault : faults.list) {
      if (fault.action() == Fault.Action.NO_SPACE) {
        usable = Math.min(usable, fault.bytesLeft());
      }
    }
    return usable;
  }

  private final class Reader extends ForwardingReadableFile {
    private final String relative;

    Reader(ReadableFile file, String relative) {
      super(file);
      this.relative = relative;
    }

    @Override
    public int read(long position, ByteBuffer dst) throws IOException {
      List<Fault> met = faults.meet(Operation.READ, relative, relative);
      Fault failing = find(met, Fault.Action.FAIL);
      if (failing != null) {
        throw unreadable(position, failing);
      }
      int count = readSome(position, dst, find(met, Fault.Action.SHORT_READ));
      Fault late = find(met, Fault.Action.FAIL_AFTERWARDS);
      if (late != null) {
        throw unreadable(position, late);
      }
      return count;
    }

    private IOException unreadable(long position, Fault fault) {
      return new UnreadableFileException(path(), position, failure(path(), fault, fault.text()));
    }

    private int readSome(long position, ByteBuffer dst, @Nullable Fault cutting)
        throws IOException {
      if (cutting == null) {
        return super.read(position, dst);
      }
      int limit = dst.limit();
      long there = Math.max(0, Math.min(dst.remaining(), length() - position));
      int half = (int) (there / 2 / alignment() * alignment());
      dst.limit(dst.position() + half);
      try {
        int count = super.read(position, dst);
        cutting.noteFired();
        return count;
      } finally {
        dst.limit(limit);
      }
    }
  }

  private final class Writer extends ForwardingWritableFile {
    private final String relative;
    private volatile @Nullable IOException failure;
    private boolean closed;

    Writer(WritableFile file, String relative) {
      super(file);
      this.relative = relative;
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
      checkUsable();
      try {
        List<Fault> met = faults.meet(Operation.WRITE, relative, relative);
        Fault failing = find(met, Fault.Action.FAIL);
        if (failing != null) {
          writePart(src, faults.draw(src.remaining() + 1));
          throw FaultyDirectory.failure(path(), failing, failing.text());
        }
        Fault full = find(met, Fault.Action.NO_SPACE);
        int room = full == null ? src.remaining() : full.takeBytes(src.remaining());
        if (full != null && room < src.remaining()) {
          writePart(src, room);
          throw FaultyDirectory.failure(path(), full, Fault.NO_SPACE);
        }
        super.write(src);
        Fault late = find(met, Fault.Action.FAIL_AFTERWARDS);
        if (late != null) {
          throw FaultyDirectory.failure(path(), late, late.text());
        }
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    private void writePart(ByteBuffer src, int count) throws IOException {
      int limit = src.limit();
      src.limit(src.position() + count);
      super.write(src);
      src.limit(limit);
    }

    @Override
    public void sync() throws IOException {
      checkUsable();
      try {
        List<Fault> met = faults.meet(Operation.SYNC, relative, relative);
        Fault failing = find(met, Fault.Action.FAIL);
        if (failing == null || faults.draw(2) == 0) {
          super.sync();
        }
        Fault told = failing == null ? find(met, Fault.Action.FAIL_AFTERWARDS) : failing;
        if (told != null) {
          throw new SyncFailedException(path(), FaultyDirectory.failure(path(), told, told.text()));
        }
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    private void checkUsable() throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
      if (failure != null) {
        throw new IOException(
            path() + " is not used any more after an earlier failure: " + failure, failure);
      }
    }

    @Override
    public void close() throws IOException {
      closed = true;
      super.close();
    }
  }
}
