package io.siltstone.io;

import io.siltstone.text.PrintableText;
import java.io.IOException;

/**
 * Thrown when the operating system cannot read a part of an existing file: there is a bad sector, a
 * volume does not respond, or the file has become shorter since it was opened. The error may be
 * temporary. Carries the path and the offset in bytes.
 */
public final class UnreadableFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final long offset;

  /**
   * @param path full path of the file
   * @param offset position at which the read began, in bytes
   * @param cause the exception of the operating system
   */
  public UnreadableFileException(String path, long offset, IOException cause) {
    super(
        PrintableText.of(path + " cannot be read at offset " + offset + ": " + cause.getMessage()),
        cause);
    this.path = path;
    this.offset = offset;
  }

  /** Returns the full path of the file. */
  public String path() {
    return path;
  }

  /** Returns the position at which the read began, in bytes. */
  public long offset() {
    return offset;
  }
}
