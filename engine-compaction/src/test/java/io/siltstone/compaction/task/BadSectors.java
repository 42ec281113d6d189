package io.siltstone.compaction.task;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** A disk that cannot read some bytes of one file. */
final class BadSectors {
  static final String MESSAGE = "bad sector";

  private BadSectors() {}

  /** Wraps a directory; reads of the file that touch these bytes fail. */
  static Directory in(Directory directory, String file, Set<Long> offsets) {
    return proxy(
        Directory.class,
        directory,
        (result, args) ->
            result instanceof ReadableFile opened && file.equals(args[0])
                ? proxy(ReadableFile.class, opened, (read, at) -> checked(read, at, offsets))
                : result);
  }

  private static Object checked(Object read, Object[] args, Set<Long> offsets) throws IOException {
    if (args != null && read instanceof Integer count && args[0] instanceof Long position) {
      for (long bad : offsets) {
        if (position <= bad && bad < position + count) {
          throw new IOException(MESSAGE);
        }
      }
    }
    return read;
  }

  private interface Answer {
    Object of(Object result, Object[] args) throws IOException;
  }

  private static <T> T proxy(Class<T> type, T inner, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              try {
                return answer.of(method.invoke(inner, args), args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
