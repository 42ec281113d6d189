package io.siltstone.tools.terminal;

import io.siltstone.io.UnreadableFileException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts that options name. */
public final class TextOption {
  private TextOption() {}

  /**
   * The whole text of a file, which may be a pipe.
   *
   * @param option for messages
   * @throws UsageException if it is a directory or not UTF-8
   * @throws IOException naming the file, if it cannot be read
   */
  public static String read(String option, Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new UsageException(option + " " + file + " is a directory, a file is wanted");
    }
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new UsageException(option + " " + file + " is not UTF-8 text", e);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      // What the system says of a failed read has no name.
      throw new UnreadableFileException(file.toString(), 0, e);
    }
  }
}
