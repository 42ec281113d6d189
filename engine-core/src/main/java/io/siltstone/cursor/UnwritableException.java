package io.siltstone.cursor;

/**
 * What was read well and cannot be written: a local deletion time or expiration that the format
 * version to be written cannot hold ({@code nb} ends in 2038), or a row whose versions together are
 * larger than an array. Nothing is wrong with where it was read.
 */
public final class UnwritableException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnwritableException(String message) {
    super(message);
  }
}
