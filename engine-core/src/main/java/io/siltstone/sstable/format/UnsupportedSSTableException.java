package io.siltstone.sstable.format;

import java.io.IOException;

/**
 * An SSTable is not damaged, but of a format, of a version or with types that cannot be read. The
 * message names the file and what is not supported.
 */
public final class UnsupportedSSTableException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With the file and what is not supported. */
  public UnsupportedSSTableException(String message, Throwable cause) {
    super(message, cause);
  }
}
