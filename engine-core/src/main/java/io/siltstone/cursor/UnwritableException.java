package io.siltstone.cursor;

/**
 * What was read well and cannot be written: a time that the format version to be written cannot
 * hold (local deletion times and expirations of {@code nb} end in 2038, deletions of partitions in
 * {@code oa} have no negative timestamps), or that lies too far behind the base of the table that
 * is written, or a row whose versions together are larger than an array. Nothing is wrong with
 * where it was read.
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
