package io.siltstone.cursor;

/**
 * Thrown for data that was read without error but cannot be written. The source is not corrupt.
 * These are the causes:
 *
 * <ul>
 *   <li>a time that the target's format version cannot hold: in {@code nb}, deletion times and
 *       expirations end in 2038; in {@code oa}, deletions of partitions have no negative timestamps
 *   <li>a time that is too far above the base of the target file
 *   <li>a row whose merged versions exceed the size of an array
 * </ul>
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
