package io.siltstone.io;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file mapped into memory, in segments, as one mapping holds 2 GiB at most.
 *
 * <p>Touching memory that is no longer mapped would end the process. So readers are counted, and
 * whoever leaves last after {@link #close()} unmaps; later ones get an exception. Nobody must cut
 * the file meanwhile: the JVM answers a read of pages that are gone by an {@link InternalError}
 * somewhere in the reading thread.
 */
final class MappedFile implements ReadableFile {
  private static final int SEGMENT_BITS = 30;
  private static final long SEGMENT_BYTES = 1L << SEGMENT_BITS;
  private static final long CLOSED = 1L << 62;

  private final String path;
  private final long length;
  private final MappedByteBuffer[] segments;
  // Readers within, and the closed bit.
  private final AtomicLong state = new AtomicLong();
  private final AtomicBoolean closing = new AtomicBoolean();

  private MappedFile(String path, long length, MappedByteBuffer[] segments) {
    this.path = path;
    this.length = length;
    this.segments = segments;
  }

  static MappedFile open(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long length = channel.size();
      int count = (int) ((length + SEGMENT_BYTES - 1) >> SEGMENT_BITS);
      MappedByteBuffer[] segments = new MappedByteBuffer[count];
      for (int i = 0; i < count; i++) {
        long from = (long) i << SEGMENT_BITS;
        segments[i] =
            channel.map(
                FileChannel.MapMode.READ_ONLY, from, Math.min(SEGMENT_BYTES, length - from));
      }
      return new MappedFile(file.toString(), length, segments);
    }
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int read(long position, ByteBuffer dst) throws IOException {
    Positions.check(path, position);
    enter();
    try {
      int count = available(position, dst.remaining());
      int left = count;
      long at = position;
      while (left > 0) {
        int from = (int) (at & (SEGMENT_BYTES - 1));
        int part = (int) Math.min(left, SEGMENT_BYTES - from);
        dst.put(dst.position(), segments[(int) (at >> SEGMENT_BITS)], from, part);
        dst.position(dst.position() + part);
        at += part;
        left -= part;
      }
      return count;
    } finally {
      leave();
    }
  }

  @Override
  public int read(long position, byte[] dst, int offset, int length) throws IOException {
    Positions.check(path, position);
    enter();
    try {
      int count = available(position, length);
      int done = 0;
      while (done < count) {
        long at = position + done;
        int from = (int) (at & (SEGMENT_BYTES - 1));
        int part = (int) Math.min(count - done, SEGMENT_BYTES - from);
        segments[(int) (at >> SEGMENT_BITS)].get(from, dst, offset + done, part);
        done += part;
      }
      return count;
    } finally {
      leave();
    }
  }

  private int available(long position, int wanted) {
    return (int) Math.max(0, Math.min(wanted, length - position));
  }

  private void enter() throws IOException {
    if (state.getAndIncrement() >= CLOSED) {
      leave();
      throw new ClosedChannelException();
    }
  }

  private void leave() {
    if (state.decrementAndGet() == CLOSED) {
      unmap();
    }
  }

  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      // Entering as a reader makes sure that one leaves last.
      state.addAndGet(CLOSED + 1);
      leave();
    }
  }

  private void unmap() {
    for (int i = 0; i < segments.length; i++) {
      Unmapper.unmap(segments[i]);
    }
  }

  @Override
  public String toString() {
    return path;
  }

  /**
   * The one supported way to unmap before JDK 22; where it is missing, the garbage collector unmaps
   * later.
   */
  private static final class Unmapper {
    private static final MethodHandle INVOKE_CLEANER = find();

    private static MethodHandle find() {
      try {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return MethodHandles.lookup()
            .findVirtual(
                unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
            .bindTo(field.get(null));
      } catch (ReflectiveOperationException e) {
        return MethodHandles.empty(MethodType.methodType(void.class, ByteBuffer.class));
      }
    }

    static void unmap(ByteBuffer buffer) {
      try {
        INVOKE_CLEANER.invoke(buffer);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("cannot unmap", e);
      }
    }
  }
}
