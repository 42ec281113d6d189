package io.siltstone.files;

import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.InDoubtException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Small files of text in UTF-8 that are read and replaced as a whole. */
public final class TextFile {
  private TextFile() {}

  /**
   * Returns the content of a file.
   *
   * @throws java.nio.file.NoSuchFileException if it does not exist
   * @throws EncryptedDirectory.KeyException if it is encrypted, and the directory has no keys
   * @throws IOException if it cannot be read to its end
   */
  public static String read(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.WHOLE)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.length()));
      file.readFully(0, bytes);
      EncryptedDirectory.requirePlain(file.path(), bytes.array());
      return new String(bytes.array(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Replaces a file durably and atomically: after a crash it has either the old or the new text. A
   * crash may also leave its {@linkplain #temporaryName temporary file}.
   *
   * @throws InDoubtException if it is unknown whether the file has the new text
   * @throws IOException if it certainly has the old text
   */
  public static void replace(Directory directory, String name, String text) throws IOException {
    replace(directory, name, text, WriteIntent.OTHER);
  }

  /** Replaces a file that is then continued for the given purpose; otherwise as the other one. */
  public static void replace(Directory directory, String name, String text, WriteIntent intent)
      throws IOException {
    removeTemporary(directory, name);
    String temporary = temporaryName(name);
    try (WritableFile file = directory.create(temporary, intent)) {
      file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      file.sync();
    } catch (Throwable e) {
      removeAfter(e, directory, name);
      throw e;
    }
    try {
      directory.rename(temporary, name);
    } catch (IOException e) {
      if (!isThere(directory, temporary)) {
        throw inDoubt(directory, name, e);
      }
      // A rename removes the temporary name; as that still exists, the rename has not happened.
      removeAfter(e, directory, name);
      throw e;
    }
    try {
      directory.sync();
    } catch (IOException e) {
      throw inDoubt(directory, name, e);
    }
  }

  private static InDoubtException inDoubt(Directory directory, String name, IOException e) {
    return new InDoubtException(
        "it is not known whether "
            + directory.path()
            + "/"
            + name
            + " was replaced: "
            + e.getMessage(),
        e);
  }

  private static boolean isThere(Directory directory, String name) {
    try {
      return directory.exists(name);
    } catch (IOException e) {
      return false;
    }
  }

  private static void removeAfter(Throwable failure, Directory directory, String name) {
    try {
      removeTemporary(directory, name);
    } catch (IOException e) {
      // The temporary file is removed before the file is written the next time, or when the table
      // is opened.
      failure.addSuppressed(e);
    }
  }

  /** Removes the temporary file of an interrupted {@link #replace}, if there is one. */
  public static void removeTemporary(Directory directory, String name) throws IOException {
    if (directory.exists(temporaryName(name))) {
      directory.delete(temporaryName(name));
    }
  }

  /** Returns the name of the file until it is complete. */
  public static String temporaryName(String name) {
    return name + ".tmp";
  }
}
