package io.siltstone.compress;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds a function of the native LZ4 library that lz4-java has loaded but does not offer itself.
 *
 * <p>Java 22 and newer can call it, by {@code java.lang.foreign}, which is reached by reflection as
 * this is compiled for Java 17. There is no function on older versions; where lz4-java uses its
 * Java code, or was loaded by another class loader; where the library does not export it, as on
 * Windows; and where native access is not enabled for this module. Creating the call is a
 * restricted operation, of which the JVM warns once for each module that does it without {@code
 * --enable-native-access}. It is therefore only done in a module whose native access is enabled
 * already. On the class path it also is enabled, from Java 24 on, when the JVM has just warned of
 * lz4-java, since both are in the unnamed module: no warning is added to that one.
 */
final class NativeLz4 {
  private static final int FIRST_WITH_LINKER = 22;
  private static final String FUNCTION = "LZ4_decompress_safe_partial";
  private static final String FOREIGN = "java.lang.foreign.";

  private NativeLz4() {}

  /**
   * Returns the function {@code (long src, Object dst, int srcBytes, int wanted, int dstBytes)int},
   * or null if it cannot be called. The source is an address, the target a {@link #segment}.
   */
  static @Nullable MethodHandle decompressPartial() {
    if (Runtime.version().feature() < FIRST_WITH_LINKER) {
      return null;
    }
    try {
      return Found.DECOMPRESS_PARTIAL;
    } catch (LinkageError e) {
      // This Java has no linker, or another one.
      return null;
    }
  }

  /** Returns the address of the first byte of a direct buffer, whatever its position is. */
  static long address(ByteBuffer direct) {
    try {
      Object segment = Found.OF_BUFFER.invoke(direct.duplicate().clear());
      return (long) Found.ADDRESS.invoke(segment);
    } catch (Throwable e) {
      throw new IllegalStateException("no address of " + direct, e);
    }
  }

  /** Returns the memory segment of an array. */
  static Object segment(byte[] array) {
    try {
      return Found.OF_ARRAY.invoke(array);
    } catch (Throwable e) {
      throw new IllegalStateException("no segment of an array of " + array.length, e);
    }
  }

  /**
   * The method handles of java.lang.foreign. The class is initialized when one of them is first
   * needed, and fails to be on a Java that lacks the linker.
   */
  private static final class Found {
    static final MethodHandle OF_BUFFER;
    static final MethodHandle ADDRESS;
    static final MethodHandle OF_ARRAY;
    static final @Nullable MethodHandle DECOMPRESS_PARTIAL;

    static {
      try {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Class<?> segment = type("MemorySegment");
        OF_BUFFER =
            lookup.findStatic(
                segment, "ofBuffer", MethodType.methodType(segment, java.nio.Buffer.class));
        OF_ARRAY =
            lookup.findStatic(segment, "ofArray", MethodType.methodType(segment, byte[].class));
        ADDRESS = lookup.findVirtual(segment, "address", MethodType.methodType(long.class));
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("java.lang.foreign of this Java is not the one of Java 22", e);
      }
      DECOMPRESS_PARTIAL = find();
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
      return Class.forName(FOREIGN + name);
    }

    /**
     * Returns null whatever keeps the function from being called: chunks are then decoded whole.
     */
    private static @Nullable MethodHandle find() {
      try {
        boolean isEnabled =
            (boolean)
                Module.class.getMethod("isNativeAccessEnabled").invoke(NativeLz4.class.getModule());
        return isEnabled ? link() : null;
      } catch (Throwable e) {
        return null;
      }
    }

    /**
     * Makes the call a critical one: it takes an array in place, and costs no change of the
     * thread's state. It is short, as chunks are.
     */
    private static @Nullable MethodHandle link() throws Throwable {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Class<?> symbols = type("SymbolLookup");
      Class<?> linker = type("Linker");
      Class<?> option = type("Linker$Option");
      Class<?> layout = type("MemoryLayout");
      Class<?> descriptor = type("FunctionDescriptor");
      // Called by a method handle, because it looks at the class loader of its caller.
      Object loaded =
          lookup.findStatic(symbols, "loaderLookup", MethodType.methodType(symbols)).invoke();
      Optional<?> function =
          (Optional<?>) symbols.getMethod("find", String.class).invoke(loaded, FUNCTION);
      if (function.isEmpty()) {
        return null;
      }
      Class<?> values = type("ValueLayout");
      Object pointer = values.getField("ADDRESS").get(null);
      Object number = values.getField("JAVA_INT").get(null);
      Object address = values.getField("JAVA_LONG").get(null);
      if ((long) layout.getMethod("byteSize").invoke(pointer) != Long.BYTES) {
        return null;
      }
      Object arguments = Array.newInstance(layout, 5);
      Array.set(arguments, 0, address);
      Array.set(arguments, 1, pointer);
      Array.set(arguments, 2, number);
      Array.set(arguments, 3, number);
      Array.set(arguments, 4, number);
      Object signature =
          descriptor.getMethod("of", layout, arguments.getClass()).invoke(null, number, arguments);
      Object options = Array.newInstance(option, 1);
      Array.set(options, 0, option.getMethod("critical", boolean.class).invoke(null, true));
      Object nativeLinker = linker.getMethod("nativeLinker").invoke(null);
      MethodHandle downcall =
          lookup
              .findVirtual(
                  linker,
                  "downcallHandle",
                  MethodType.methodType(
                      MethodHandle.class, type("MemorySegment"), descriptor, options.getClass()))
              .asFixedArity();
      MethodHandle handle =
          (MethodHandle) downcall.invoke(nativeLinker, function.get(), signature, options);
      return handle.asType(
          MethodType.methodType(
              int.class, long.class, Object.class, int.class, int.class, int.class));
    }
  }
}
