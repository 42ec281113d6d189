package io.siltstone.io;

import io.siltstone.text.PrintableText;
import java.io.IOException;

/**
 * The operating system could not read a part of a file that is there: a bad sector, or a volume
 * that does not answer, or a file that has become shorter since it was opened. It may pass. Carries
 * the place: path, and offset in bytes.
 */
public final class UnreadableFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final long offset;

  /**
   * @param path full path of the file
   * @param offset where reading began, in bytes
   * @param cause what the operating system said
   */
  public UnreadableFileException(String path, long offset, IOException cause) {
    super(
        PrintableText.of(path + " cannot be read at offset " + offset + ": " + cause.getMessage()),
        cause);
    this.path = path;
    this.offset = offset;
  }

  /** Full path of the file. */
  public String path() {
    return path;
  }

  /** Where reading began, in bytes. */
  public long offset() {
    return offset;
  }
}
