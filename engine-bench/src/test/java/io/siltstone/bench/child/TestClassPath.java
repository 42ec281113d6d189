package io.siltstone.bench.child;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The class path of tests, for their child JVMs. */
public final class TestClassPath {
  private TestClassPath() {}

  /** Returns the class path as one text. */
  public static String get() {
    // Some launchers load the tests with their own class loader.
    return Thread.currentThread().getContextClassLoader() instanceof URLClassLoader loader
        ? Arrays.stream(loader.getURLs())
            .map(TestClassPath::path)
            .collect(Collectors.joining(File.pathSeparator))
        : System.getProperty("java.class.path");
  }

  private static String path(URL url) {
    return Path.of(url.getPath()).toString();
  }
}
