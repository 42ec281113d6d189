package io.siltstone.type.comparable;

import io.siltstone.type.CqlType;

/**
 * The byte-comparable encoding of a type: appends the form of its values, whose unsigned bytes are
 * ordered as the values are.
 *
 * <p>No form is the beginning of another followed by a separator or terminator, so that forms can
 * be the parts of a longer one. Immutable, safe for all threads.
 */
public interface ComparableType {

  /**
   * Appends the form of a serialized value.
   *
   * @param value array that has the value, which is not null
   * @param out receives the form; if this method throws, its new bytes are undefined
   * @return whether the value has a form of its own; if not, nothing is appended. Empty values of
   *     most types have none: a separator stands for them
   * @throws IllegalArgumentException if the bytes are so corrupt that they have no order
   */
  boolean append(byte[] value, int offset, int length, ComparableBytes out);

  /**
   * Returns the encoding of a type.
   *
   * @throws IllegalArgumentException for counters, which have no order
   */
  static ComparableType of(CqlType type) {
    return switch (type.kind()) {
      case SCALAR -> ScalarForms.of(type);
      case LIST, SET, MAP -> new CollectionForm(type);
      case TUPLE, USER -> new TupleForm(type);
      case VECTOR -> new VectorForm(type);
      case COMPOSITE -> new CompositeForm(type);
      case REVERSED -> new ReversedForm(of(type.elementTypes().get(0)));
    };
  }

  /**
   * Appends the separator of a part and the part, whose value is not null.
   *
   * @param emptyPart the separator of a value without a form
   */
  default void appendPart(
      byte[] value, int offset, int length, ComparableBytes out, int emptyPart) {
    int separator = out.length();
    out.append(ComparableBytes.NEXT_PART);
    if (!append(value, offset, length, out)) {
      out.set(separator, emptyPart);
    }
  }
}
