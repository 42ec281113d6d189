package io.siltstone.cursor;

/**
 * A local deletion time or expiration that the format version to be written cannot hold, though
 * that in which it was read can: {@code nb} ends in 2038. Nothing is wrong with where it was read.
 */
public final class UnwritableTimeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnwritableTimeException(String message) {
    super(message);
  }
}
