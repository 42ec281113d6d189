package io.siltstone.type.comparable;

/**
 * The encoding of a descending type: that of the type whose order it reverses, with all bits
 * flipped. Source: Cassandra {@code ReversedType}.
 */
final class ReversedForm implements ComparableType {
  private final ComparableType base;

  ReversedForm(ComparableType base) {
    this.base = base;
  }

  @Override
  public boolean append(byte[] value, int offset, int length, ComparableBytes out) {
    int from = out.length();
    if (!base.append(value, offset, length, out)) {
      return false;
    }
    out.flip(from);
    return true;
  }
}
