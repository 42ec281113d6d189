package io.siltstone;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A directory in which something runs before a file that was read is closed. */
final class ClosingFiles {
  private ClosingFiles() {}

  /** What runs. */
  interface Step {
    void run() throws IOException;
  }

  static Directory in(Directory inner, Step closing) {
    return watch(Directory.class, inner, closing);
  }

  private static <T> T watch(Class<T> type, T inner, Step closing) {
    Object watched =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (inner instanceof ReadableFile && method.getName().equals("close")) {
                closing.run();
              }
              Object result;
              try {
                result = method.invoke(inner, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (result instanceof Directory directory) {
                return watch(Directory.class, directory, closing);
              }
              return result instanceof ReadableFile file
                  ? watch(ReadableFile.class, file, closing)
                  : result;
            });
    return type.cast(watched);
  }
}
