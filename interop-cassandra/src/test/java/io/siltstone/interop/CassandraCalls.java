package io.siltstone.interop;

import java.io.OutputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.db.marshal.VectorType;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.tools.JsonTransformer;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;

/**
 * Calls of Cassandra whose signatures differ between 5.0 and 6.0, by reflection. The sources of
 * these tests are compiled with both: with 6.0 in the module interop-cassandra6.
 */
final class CassandraCalls {
  private CassandraCalls() {}

  /** Returns whether this is Cassandra 6, whose cluster metadata is a log. */
  static boolean isSix() {
    try {
      Class.forName("org.apache.cassandra.tcm.ClusterMetadataService");
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * Makes the node the owner of the whole ring, because a flush looks up which token ranges belong
   * to which disk.
   */
  static void ownRing() {
    if (isSix()) {
      Class<?> startup = type("org.apache.cassandra.tcm.Startup");
      call(startup, null, "initializeAsNonCmsNode", Function.identity());
      call(startup, null, "initializeAsFirstCMSNode");
      return;
    }
    SystemKeyspace.persistLocalMetadata();
    Object ring =
        Objects.requireNonNull(
            call(StorageService.class, StorageService.instance, "getTokenMetadata"));
    call(
        ring.getClass(),
        ring,
        "updateNormalToken",
        DatabaseDescriptor.getPartitioner().getMinimumToken(),
        FBUtilities.getBroadcastAddressAndPort());
  }

  /** Sets whether Cassandra 6 compacts by cursors. */
  static void compactByCursors(boolean enabled) {
    call(DatabaseDescriptor.class, null, "setCursorCompactionEnabled", enabled);
  }

  /** Writes the dump of a table; see {@code JsonTransformer}. */
  static void toJson(
      String method,
      ISSTableScanner scanner,
      Stream<UnfilteredRowIterator> partitions,
      boolean rawTime,
      TableMetadata metadata,
      OutputStream out) {
    if (isSix()) {
      call(
          JsonTransformer.class,
          null,
          method,
          scanner,
          partitions,
          rawTime,
          false,
          metadata,
          FBUtilities.nowInSeconds(),
          out);
    } else {
      call(JsonTransformer.class, null, method, scanner, partitions, rawTime, metadata, out);
    }
  }

  /** Returns the {@code CREATE TYPE} statement of a type. */
  static String toCqlString(UserType type) {
    return (String)
        Objects.requireNonNull(
            isSix()
                ? call(UserType.class, type, "toCqlString", false, false, true)
                : call(UserType.class, type, "toCqlString", false, true));
  }

  /** Returns the serialized form of a vector of serialized elements. */
  static ByteBuffer vector(VectorType<?> type, List<ByteBuffer> elements) {
    return (ByteBuffer)
        Objects.requireNonNull(
            isSix()
                ? call(VectorType.class, type, "pack", elements, ByteBufferAccessor.instance)
                : call(VectorType.class, type, "decomposeRaw", elements));
  }

  /**
   * Returns the serialized form of a collection.
   *
   * @param elements serialized; of a map key, value, key and so on
   * @param count number of elements, or of entries of a map
   */
  static ByteBuffer collection(Collection<ByteBuffer> elements, int count) {
    int length = elements.stream().mapToInt(element -> Integer.BYTES + element.remaining()).sum();
    ByteBuffer packed = ByteBuffer.allocate(Integer.BYTES + length).putInt(count);
    elements.forEach(element -> packed.putInt(element.remaining()).put(element.duplicate()));
    return packed.flip();
  }

  /** Returns the serialized form of a tuple, whose fields may be null. */
  static ByteBuffer tuple(@Nullable ByteBuffer[] fields) {
    int length = 0;
    for (ByteBuffer field : fields) {
      length += Integer.BYTES + (field == null ? 0 : field.remaining());
    }
    ByteBuffer packed = ByteBuffer.allocate(length);
    for (ByteBuffer field : fields) {
      if (field == null) {
        packed.putInt(-1);
      } else {
        packed.putInt(field.remaining()).put(field.duplicate());
      }
    }
    return packed.flip();
  }

  /** Calls the only public method of a name that takes such arguments. */
  private static @Nullable Object call(
      Class<?> type, @Nullable Object target, String name, Object... arguments) {
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name) && takes(method, arguments)) {
        try {
          return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
          throw new IllegalStateException(name + ": " + e.getCause(), e.getCause());
        } catch (IllegalAccessException e) {
          throw new LinkageError("another Cassandra", e);
        }
      }
    }
    throw new LinkageError("another Cassandra: " + type + " has no such method " + name);
  }

  private static boolean takes(Method method, Object... arguments) {
    Class<?>[] types = method.getParameterTypes();
    if (types.length != arguments.length) {
      return false;
    }
    for (int i = 0; i < types.length; i++) {
      if (!MethodType.methodType(types[i]).wrap().returnType().isInstance(arguments[i])) {
        return false;
      }
    }
    return true;
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new LinkageError("another Cassandra", e);
    }
  }
}
