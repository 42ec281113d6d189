package io.siltstone.sstable.format;

import io.siltstone.text.PrintableText;
import java.io.IOException;

/**
 * An SSTable is not damaged, but has a format, version, partitioner, compressor or type that cannot
 * be read. The message names the file and what is not supported.
 */
public final class UnsupportedSSTableException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Wraps a failure that says that it does not know a name in a file.
   *
   * @param path full path of the file
   */
  public static UnsupportedSSTableException of(String path, IllegalArgumentException e) {
    return new UnsupportedSSTableException(path + ": " + e.getMessage(), e);
  }

  /** With the file and what is not supported. */
  public UnsupportedSSTableException(String message, Throwable cause) {
    super(PrintableText.of(message), cause);
  }
}
