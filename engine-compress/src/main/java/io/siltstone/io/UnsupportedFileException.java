package io.siltstone.io;

import io.siltstone.text.PrintableText;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a file is not known to be damaged, but cannot be read here: its compressor is
 * unknown, or the library of the compressor is missing. Carries the path.
 */
public final class UnsupportedFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;

  /**
   * @param path full path of the file
   * @param reason what is not supported, and what is
   */
  public UnsupportedFileException(String path, String reason, @Nullable Throwable cause) {
    super(PrintableText.of(path + ": " + reason), cause);
    this.path = path;
  }

  /** Returns the full path of the file. */
  public String path() {
    return path;
  }
}
