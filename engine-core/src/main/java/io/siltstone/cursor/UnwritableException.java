package io.siltstone.cursor;

/**
 * Thrown for data that was read without error but cannot be written: a time that the target format
 * version cannot hold (local deletion times and expirations of {@code nb} end in 2038, deletions of
 * partitions in {@code oa} have no negative timestamps), a time too far above the base of the
 * target file, or a row whose merged versions exceed an array. The source is not corrupt.
 */
public final class UnwritableException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what cannot be written, and what can
   */
  public UnwritableException(String message) {
    super(message);
  }
}
