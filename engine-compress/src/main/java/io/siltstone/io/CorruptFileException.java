package io.siltstone.io;

import io.siltstone.text.PrintableText;
import java.io.IOException;

/** Thrown when the content of a file cannot be true. Carries the path and the offset in bytes. */
public final class CorruptFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Offset of a finding that does not belong to a single position. */
  public static final long WHOLE_FILE = -1;

  private final String path;
  private final long offset;
  private final String reason;

  /**
   * @param path full path of the file
   * @param offset position in the file, in bytes, or {@link #WHOLE_FILE}
   * @param reason what was found and what is allowed
   */
  public CorruptFileException(String path, long offset, String reason) {
    this(path, offset, reason, null);
  }

  /**
   * Creates an exception with a cause; otherwise as {@link #CorruptFileException(String, long,
   * String)}.
   */
  public CorruptFileException(
      String path, long offset, String reason, @org.jspecify.annotations.Nullable Throwable cause) {
    super(
        PrintableText.of(
            offset == WHOLE_FILE
                ? path + ": " + reason
                : path + " at offset " + offset + ": " + reason),
        cause);
    this.path = path;
    this.offset = offset;
    this.reason = reason;
  }

  /** Returns the full path of the file. */
  public String path() {
    return path;
  }

  /** Returns the offset in bytes, or {@link #WHOLE_FILE}. */
  public long offset() {
    return offset;
  }

  /** Returns what was found and what is allowed, without the position. */
  public String reason() {
    return reason;
  }
}
