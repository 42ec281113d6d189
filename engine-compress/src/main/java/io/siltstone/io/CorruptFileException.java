package io.siltstone.io;

import io.siltstone.text.PrintableText;
import java.io.IOException;

/** A file says something that cannot be true. Carries the place: path, and offset in bytes. */
public final class CorruptFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Offset of a finding that has no place of its own. */
  public static final long WHOLE_FILE = -1;

  private final String path;
  private final long offset;
  private final String reason;

  /**
   * @param path full path of the file
   * @param offset where in the file, in bytes, or {@link #WHOLE_FILE}
   * @param reason what was found and what would be allowed
   */
  public CorruptFileException(String path, long offset, String reason) {
    this(path, offset, reason, null);
  }

  /** As {@link #CorruptFileException(String, long, String)}, with the exception that told of it. */
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

  /** Full path of the file. */
  public String path() {
    return path;
  }

  /** Offset in bytes, or {@link #WHOLE_FILE}. */
  public long offset() {
    return offset;
  }

  /** What was found and what would be allowed, without the place. */
  public String reason() {
    return reason;
  }
}
