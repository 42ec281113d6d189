package io.siltstone.tools.load;

import io.siltstone.type.CqlType;

/** How values are printed so that {@link ValueCodec} reads them back. Confined to one thread. */
interface ValueText {
  /**
   * Appends a value of the type, taken as frozen.
   *
   * @throws IllegalArgumentException if the bytes are no value of the type
   */
  void append(CqlType type, byte[] value, int offset, int length, StringBuilder out);
}
