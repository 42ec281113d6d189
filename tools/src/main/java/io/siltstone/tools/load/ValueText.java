package io.siltstone.tools.load;

import io.siltstone.type.CqlType;

/** Formats values so that {@link ValueCodec} can parse them. Confined to one thread. */
interface ValueText {
  /**
   * Appends a value of the type, which is taken as frozen.
   *
   * @throws IllegalArgumentException if the bytes are not a value of the type
   */
  void append(CqlType type, byte[] value, int offset, int length, StringBuilder out);
}
