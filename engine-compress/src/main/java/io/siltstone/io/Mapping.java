package io.siltstone.io;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The mapped pages of a file, which can be unmapped at once instead of by the garbage collector.
 *
 * <p>Java 22 and newer use an {@code Arena}; older versions use {@code Unsafe.invokeCleaner}, of
 * which newer JVMs warn. Both are called through method handles, as this is compiled for Java 17.
 * An access to a segment after {@link #unmap} may end the process.
 */
final class Mapping {
  private static final int FIRST_WITH_ARENA = 22;

  private final ByteBuffer[] segments;
  private final Object owner;
  private final Method method;

  private Mapping(ByteBuffer[] segments, Object owner, Method method) {
    this.segments = segments;
    this.owner = owner;
    this.method = method;
  }

  /** Maps a whole file, in segments of the given size; the last one is shorter. */
  static Mapping of(FileChannel channel, long length, long segmentBytes) throws IOException {
    Method method = Method.BEST;
    Object owner = method.open();
    try {
      int count = Math.toIntExact((length + segmentBytes - 1) / segmentBytes);
      ByteBuffer[] segments = new ByteBuffer[count];
      for (int i = 0; i < count; i++) {
        long from = i * segmentBytes;
        segments[i] = method.map(channel, from, Math.min(segmentBytes, length - from), owner);
      }
      return new Mapping(segments, owner, method);
    } catch (Throwable e) {
      method.close(owner, new ByteBuffer[0]);
      throw e;
    }
  }

  ByteBuffer segment(int index) {
    return segments[index];
  }

  void unmap() {
    method.close(owner, segments);
  }

  /** The way in which a Java version maps and unmaps. */
  private abstract static class Method {
    static final Method BEST =
        Runtime.version().feature() >= FIRST_WITH_ARENA ? new ByArena() : new ByCleaner();

    abstract Object open();

    abstract ByteBuffer map(FileChannel channel, long from, long length, Object owner)
        throws IOException;

    abstract void close(Object owner, ByteBuffer[] segments);

    static RuntimeException unexpected(Throwable e) {
      if (e instanceof Error error) {
        throw error;
      }
      return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
  }

  private static final class ByArena extends Method {
    private final MethodHandle ofShared;
    private final MethodHandle map;
    private final MethodHandle asByteBuffer;
    private final MethodHandle close;

    ByArena() {
      try {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Class<?> arena = Class.forName("java.lang.foreign.Arena");
        Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
        ofShared = lookup.findStatic(arena, "ofShared", MethodType.methodType(arena));
        map =
            lookup.findVirtual(
                FileChannel.class,
                "map",
                MethodType.methodType(
                    segment, FileChannel.MapMode.class, long.class, long.class, arena));
        asByteBuffer =
            lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
        close = lookup.findVirtual(arena, "close", MethodType.methodType(void.class));
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("java.lang.foreign of this Java is not the one of Java 22", e);
      }
    }

    @Override
    Object open() {
      try {
        return ofShared.invoke();
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    @Override
    ByteBuffer map(FileChannel channel, long from, long length, Object owner) throws IOException {
      try {
        Object segment = map.invoke(channel, FileChannel.MapMode.READ_ONLY, from, length, owner);
        return (ByteBuffer) asByteBuffer.invoke(segment);
      } catch (IOException e) {
        throw e;
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    @Override
    void close(Object owner, ByteBuffer[] segments) {
      try {
        close.invoke(owner);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }
  }

  private static final class ByCleaner extends Method {
    private final MethodHandle invokeCleaner;

    ByCleaner() {
      MethodHandle found;
      try {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        found =
            MethodHandles.lookup()
                .findVirtual(
                    unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                .bindTo(field.get(null));
      } catch (ReflectiveOperationException e) {
        // In that case the garbage collector unmaps.
        found = MethodHandles.empty(MethodType.methodType(void.class, ByteBuffer.class));
      }
      invokeCleaner = found;
    }

    @Override
    Object open() {
      return this;
    }

    @Override
    ByteBuffer map(FileChannel channel, long from, long length, Object owner) throws IOException {
      return channel.map(FileChannel.MapMode.READ_ONLY, from, length);
    }

    @Override
    void close(Object owner, ByteBuffer[] segments) {
      for (ByteBuffer segment : segments) {
        try {
          invokeCleaner.invoke(segment);
        } catch (Throwable e) {
          throw unexpected(e);
        }
      }
    }
  }
}
