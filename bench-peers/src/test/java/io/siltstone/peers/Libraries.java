package io.siltstone.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions of the libraries, as pinned by the build. */
final class Libraries {
  private Libraries() {}

  /** Returns the name of a library and its version. */
  static String version(String library) {
    Properties versions = new Properties();
    try (InputStream in = Libraries.class.getResourceAsStream("versions.properties")) {
      versions.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return library + " " + versions.getProperty(library);
  }
}
