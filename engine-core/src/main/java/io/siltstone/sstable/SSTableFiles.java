package io.siltstone.sstable;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The two components that are small texts: {@code TOC.txt}, the names of the components, one a
 * line, and {@code Digest.crc32}, the CRC32 of the data file in decimal.
 */
final class SSTableFiles {
  private static final int LARGEST_TEXT = 64 * 1024;

  private SSTableFiles() {}

  // Without these components an SSTable is slower to open or read, or fewer checks are possible,
  // but no row is lost.
  private static final Set<Component> DISPENSABLE =
      Collections.unmodifiableSet(
          EnumSet.of(Component.FILTER, Component.SUMMARY, Component.DIGEST, Component.TOC));

  /**
   * Returns the components that exist. Components that {@code TOC.txt} names must exist if reading
   * depends on them.
   *
   * @param isForSalvage whether the SSTable is only scanned, which does not depend on the index
   */
  static Set<Component> components(Directory directory, Descriptor descriptor, boolean isForSalvage)
      throws IOException {
    EnumSet<Component> there = EnumSet.noneOf(Component.class);
    Set<Component> possible = descriptor.version().components();
    for (Component component : possible) {
      if (directory.exists(descriptor.fileName(component))) {
        there.add(component);
      }
    }
    if (there.contains(Component.TOC)) {
      String name = descriptor.fileName(Component.TOC);
      String text = readText(directory, name, Component.TOC);
      for (String line : text.split("\r?\n", -1)) {
        for (Component component : possible) {
          if (component.fileName().equals(line.strip())
              && !there.contains(component)
              && !DISPENSABLE.contains(component)
              && !(isForSalvage && descriptor.version().indexComponents().contains(component))) {
            throw CorruptSSTableException.missing(
                directory.path() + "/" + descriptor.fileName(component),
                component,
                "the file is missing, " + name + " names it");
          }
        }
      }
    }
    return there;
  }

  static long readDigest(Directory directory, String name) throws IOException {
    String text = readText(directory, name, Component.DIGEST).strip();
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new CorruptSSTableException(
          directory.path() + "/" + name, Component.DIGEST, 0, "is not a decimal number", e);
    }
  }

  /** Reads a small file. */
  static String readText(Directory directory, String name, Component component) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.WHOLE)) {
      if (file.length() > LARGEST_TEXT) {
        throw new CorruptSSTableException(
            file.path(),
            component,
            CorruptFileException.WHOLE_FILE,
            "has " + file.length() + " bytes, allowed " + LARGEST_TEXT);
      }
      byte[] bytes = new byte[(int) file.length()];
      file.readFully(0, ByteBuffer.wrap(bytes));
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /** Writes a small file and makes it durable. */
  static void writeText(Directory directory, String name, String text, WriteIntent intent)
      throws IOException {
    try (WritableFile file = directory.create(name, intent)) {
      file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      file.sync();
    }
  }
}
