package io.siltstone.io;

import java.io.IOException;

/**
 * Thrown when a file that is being written, or was just written, is not correct, because of a
 * defect of the writer, of memory or of the disk rather than of the input. The file must not be
 * committed. Carries the path and the offset in bytes.
 */
public final class OutputVerificationException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Offset of a finding that does not belong to a single position. */
  public static final long WHOLE_FILE = -1;

  private final String path;
  private final long offset;

  /**
   * Creates an exception.
   *
   * @param path full path of the file
   * @param offset position in the file, in bytes, or for a data file in its uncompressed content;
   *     or {@link #WHOLE_FILE}
   * @param found what was found
   * @param expected what is correct instead
   */
  public OutputVerificationException(String path, long offset, String found, String expected) {
    super(
        "verification of "
            + path
            + (offset == WHOLE_FILE ? "" : " at offset " + offset)
            + ", which was just written: found "
            + found
            + ", expected "
            + expected
            + "; the file is not committed");
    this.path = path;
    this.offset = offset;
  }

  /** Returns the full path of the file. */
  public String path() {
    return path;
  }

  /** Returns the offset in bytes, or {@link #WHOLE_FILE}. */
  public long offset() {
    return offset;
  }
}
