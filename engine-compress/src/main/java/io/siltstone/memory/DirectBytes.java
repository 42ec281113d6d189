package io.siltstone.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;

/**
 * Off-heap bytes, and the way to free them at once instead of when the garbage collector finds
 * time.
 *
 * <p>From Java 22 on that is an {@code Arena}; before, {@code Unsafe.invokeCleaner}, of which newer
 * JVMs warn. Both are called through handles, as this is compiled for Java 17. Touching the bytes
 * after {@link #free} may end the process.
 */
final class DirectBytes {
  private static final int FIRST_WITH_ARENA = 22;
  private static final Method METHOD =
      Runtime.version().feature() >= FIRST_WITH_ARENA ? new ByArena() : new ByCleaner();

  private final ByteBuffer bytes;
  private final Object owner;

  private DirectBytes(ByteBuffer bytes, Object owner) {
    this.bytes = bytes;
    this.owner = owner;
  }

  /** So many bytes, which are zeros. To be freed once, by the caller. */
  static DirectBytes allocate(int bytes) {
    try {
      return METHOD.allocate(bytes);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** All of them; the same object each time. */
  ByteBuffer bytes() {
    return bytes;
  }

  void free() {
    try {
      METHOD.free(this);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
  }

  /** How a Java version allocates and frees. */
  private interface Method {
    DirectBytes allocate(int bytes) throws Throwable;

    void free(DirectBytes allocated) throws Throwable;
  }

  private static final class ByArena implements Method {
    private final MethodHandle ofShared;
    private final MethodHandle allocate;
    private final MethodHandle asByteBuffer;
    private final MethodHandle close;

    ByArena() {
      try {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Class<?> arena = Class.forName("java.lang.foreign.Arena");
        Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
        ofShared = lookup.findStatic(arena, "ofShared", MethodType.methodType(arena));
        allocate =
            lookup.findVirtual(arena, "allocate", MethodType.methodType(segment, long.class));
        asByteBuffer =
            lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
        close = lookup.findVirtual(arena, "close", MethodType.methodType(void.class));
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("java.lang.foreign of this Java is not the one of Java 22", e);
      }
    }

    @Override
    public DirectBytes allocate(int bytes) throws Throwable {
      Object arena = ofShared.invoke();
      try {
        Object segment = allocate.invoke(arena, (long) bytes);
        return new DirectBytes((ByteBuffer) asByteBuffer.invoke(segment), arena);
      } catch (Throwable e) {
        close.invoke(arena);
        throw e;
      }
    }

    @Override
    public void free(DirectBytes allocated) throws Throwable {
      close.invoke(allocated.owner);
    }
  }

  private static final class ByCleaner implements Method {
    private final MethodHandle invokeCleaner;

    ByCleaner() {
      try {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        invokeCleaner =
            MethodHandles.lookup()
                .findVirtual(
                    unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                .bindTo(field.get(null));
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("sun.misc.Unsafe of this Java is not the one of Java 17", e);
      }
    }

    @Override
    public DirectBytes allocate(int bytes) {
      return new DirectBytes(ByteBuffer.allocateDirect(bytes), this);
    }

    @Override
    public void free(DirectBytes allocated) throws Throwable {
      invokeCleaner.invoke(allocated.bytes);
    }
  }
}
