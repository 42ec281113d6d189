package io.siltstone.cursor;

import java.io.IOException;

/**
 * The origin of the bytes that a flyweight reads: creates the exception for corrupt bytes, which
 * names their file and offset.
 */
public interface ByteOrigin {

  /**
   * Returns the exception for corrupt bytes.
   *
   * @param index in the array that the flyweight was pointed at
   * @param reason what was found and what would be allowed
   */
  IOException corrupt(int index, String reason);
}
