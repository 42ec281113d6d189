package io.siltstone.io;

import java.io.IOException;

/**
 * Thrown when a file that is being written, or was just written, is not what a reader needs: a
 * defect of the writer, of memory or of the disk, and not of the data it was given. The file must
 * not be committed. Carries the place: path, and offset in bytes.
 */
public final class OutputVerificationException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Offset of a finding that has no place of its own. */
  public static final long WHOLE_FILE = -1;

  private final String path;
  private final long offset;

  /**
   * Creates an exception.
   *
   * @param path full path of the file
   * @param offset where in the file, in bytes; in a data file of its uncompressed content; or
   *     {@link #WHOLE_FILE}
   * @param found what was found
   * @param expected what must be there instead
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

  /** Full path of the file. */
  public String path() {
    return path;
  }

  /** Offset in bytes, or {@link #WHOLE_FILE}. */
  public long offset() {
    return offset;
  }
}
