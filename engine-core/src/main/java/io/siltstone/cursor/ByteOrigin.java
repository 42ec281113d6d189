package io.siltstone.cursor;

import java.io.IOException;

/**
 * Who owns the bytes that a flyweight reads; knows where they came from when they turn out wrong.
 */
public interface ByteOrigin {

  /**
   * The exception for bytes that make no sense.
   *
   * @param index in the array that the flyweight was pointed at
   * @param reason what was found and what would be allowed
   */
  IOException corrupt(int index, String reason);
}
