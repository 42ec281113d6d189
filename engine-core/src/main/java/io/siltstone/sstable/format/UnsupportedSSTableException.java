package io.siltstone.sstable.format;

import io.siltstone.text.PrintableText;
import java.io.IOException;

/**
 * Thrown when an SSTable is not damaged, but has a format, version, partitioner, compressor or type
 * that is not supported. The message names the file and the unsupported part.
 */
public final class UnsupportedSSTableException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Returns the exception for an unknown name in a file.
   *
   * @param path full path of the file
   */
  public static UnsupportedSSTableException of(String path, IllegalArgumentException e) {
    return new UnsupportedSSTableException(path + ": " + e.getMessage(), e);
  }

  /** Creates an exception whose message has the file and what is not supported. */
  public UnsupportedSSTableException(String message, Throwable cause) {
    super(PrintableText.of(message), cause);
  }
}
