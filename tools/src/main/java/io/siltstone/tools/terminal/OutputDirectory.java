package io.siltstone.tools.terminal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory of an option {@code --output}, checked before the work begins. */
public final class OutputDirectory {
  private OutputDirectory() {}

  /**
   * Creates the directory if it is missing.
   *
   * @throws UsageException if the path is not a directory
   * @throws AccessDeniedException if nothing can be written there
   */
  public static void make(Path output) throws IOException {
    if (Files.exists(output) && !Files.isDirectory(output)) {
      throw new UsageException("--output = " + output + " is not a directory");
    }
    Files.createDirectories(output);
    if (!Files.isWritable(output)) {
      throw new AccessDeniedException(output.toString());
    }
  }
}
