package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Small files of text in UTF-8 that are read and replaced as a whole. */
public final class TextFile {
  private TextFile() {}

  /**
   * All of a file.
   *
   * @throws java.nio.file.NoSuchFileException if it is not there
   * @throws IOException if it cannot be read to its end
   */
  public static String read(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.length()));
      file.readFully(0, bytes);
      return new String(bytes.array(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Writes a file, durably: after a crash it is there as it was before, or with the new text. A
   * crash may also leave its {@linkplain #temporaryName temporary file}.
   *
   * @throws IOException after which it is as it was before, or with the new text
   */
  public static void replace(Directory directory, String name, String text) throws IOException {
    removeTemporary(directory, name);
    try (WritableFile file = directory.create(temporaryName(name), WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      file.sync();
    }
    directory.rename(temporaryName(name), name);
    directory.sync();
  }

  /** Removes what a {@link #replace} has left that was interrupted, if it has left anything. */
  public static void removeTemporary(Directory directory, String name) throws IOException {
    if (directory.exists(temporaryName(name))) {
      directory.delete(temporaryName(name));
    }
  }

  /** What the file is called until it is whole. */
  public static String temporaryName(String name) {
    return name + ".tmp";
  }
}
