package io.siltstone.tools;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Provides the versions of Siltstone and Java. */
final class Versions implements IVersionProvider {
  private static final String RESOURCE = "version.properties";

  @Override
  public String[] getVersion() {
    return new String[] {"siltstone " + siltstone()};
  }

  /** Returns the version of this build. */
  static String siltstone() {
    Properties properties = new Properties();
    try (InputStream in = Versions.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing beside " + Versions.class);
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  /** Returns name, version and platform of the running JVM. */
  static String java() {
    return System.getProperty("java.version")
        + " ("
        + System.getProperty("java.vm.name")
        + ", "
        + System.getProperty("java.vendor")
        + "), "
        + System.getProperty("os.name")
        + " "
        + System.getProperty("os.arch");
  }
}
