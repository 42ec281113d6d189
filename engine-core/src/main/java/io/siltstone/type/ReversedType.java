package io.siltstone.type;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The type of a descending clustering column: another type in reversed order, otherwise the same.
 * Source: {@code ReversedType}.
 */
final class ReversedType extends CqlType {
  private final CqlType base;
  private final int depth;
  private final String className;

  ReversedType(CqlType base) {
    this.base = base;
    this.depth = depthOver(List.of(base));
    this.className = ClassNames.of("ReversedType", List.of(base));
  }

  @Override
  public TypeKind kind() {
    return TypeKind.REVERSED;
  }

  @Override
  public List<CqlType> elementTypes() {
    return List.of(base);
  }

  @Override
  public CqlType unreversed() {
    return base.unreversed();
  }

  @Override
  public boolean isReversed() {
    return true;
  }

  @Override
  public boolean isCounter() {
    return base.isCounter();
  }

  @Override
  public String cqlName() {
    return base.cqlName();
  }

  @Override
  public String className() {
    return className;
  }

  @Override
  int depth() {
    return depth;
  }

  @Override
  public int fixedLength() {
    return base.fixedLength();
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return base.compare(right, rightOffset, rightLength, left, leftOffset, leftLength);
  }

  @Override
  byte[] inOrder(byte[] value) {
    return base.inOrder(value);
  }

  @Override
  public boolean mayRefuseToCompare() {
    return base.mayRefuseToCompare();
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    base.validate(value, offset, length);
  }

  @Override
  public @Nullable Object decode(byte[] value, int offset, int length) {
    return base.decode(value, offset, length);
  }

  @Override
  public byte[] encode(Object value) {
    return base.encode(value);
  }

  @Override
  public String format(byte[] value, int offset, int length) {
    return base.format(value, offset, length);
  }

  @Override
  public byte[] parse(String text) {
    return base.parse(text);
  }

  @Override
  public String toJson(byte[] value, int offset, int length) {
    return base.toJson(value, offset, length);
  }

  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    return base.toCqlLiteral(value, offset, length);
  }
}
