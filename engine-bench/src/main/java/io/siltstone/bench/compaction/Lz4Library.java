package io.siltstone.bench.compaction;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import net.jpountz.lz4.LZ4Factory;

/** Identifies the LZ4 library of this JVM. */
public final class Lz4Library {
  private static final String JAR = ".jar";

  private Lz4Library() {}

  /** Returns name and version as in the name of its file: {@code lz4-java-1.10.1}. */
  public static String name() {
    CodeSource source = LZ4Factory.class.getProtectionDomain().getCodeSource();
    try {
      String file =
          source == null ? "" : String.valueOf(Path.of(source.getLocation().toURI()).getFileName());
      return file.endsWith(JAR)
          ? file.substring(0, file.length() - JAR.length())
          : "LZ4 of an unknown version";
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
