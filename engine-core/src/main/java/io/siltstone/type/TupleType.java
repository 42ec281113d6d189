package io.siltstone.type;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code tuple}: {@link Fields} without names; always frozen. Source: Cassandra {@code TupleType}.
 */
final class TupleType extends CqlType {
  private final List<CqlType> types;
  private final Fields fields;
  private final int depth;
  private final String className;

  TupleType(List<CqlType> types) {
    this.types = List.copyOf(types);
    this.depth = depthOver(this.types);
    this.className = ClassNames.withinFrozen("TupleType", this.types);
    this.fields = new Fields(this, this.types);
  }

  @Override
  public TypeKind kind() {
    return TypeKind.TUPLE;
  }

  @Override
  public List<CqlType> elementTypes() {
    return types;
  }

  @Override
  public String cqlName() {
    return types.stream()
        .map(CqlType::cqlName)
        .collect(Collectors.joining(", ", "frozen<tuple<", ">>"));
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
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return fields.compare(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    fields.validate(value, offset, length);
  }

  @Override
  public Object decode(byte[] value, int offset, int length) {
    return Collections.unmodifiableList(fields.decode(value, offset, length));
  }

  @Override
  public byte[] encode(Object value) {
    if (value instanceof String text) {
      return encodeLiteral(text);
    }
    if (!(value instanceof List<?> objects)) {
      throw new IllegalArgumentException(
          "a " + value.getClass().getName() + " is no " + cqlName() + ", allowed: List, String");
    }
    if (objects.size() > types.size()) {
      throw new IllegalArgumentException(
          objects.size() + " fields for " + cqlName() + ", allowed " + types.size());
    }
    return fields.encode(objects);
  }

  @Override
  public String format(byte[] value, int offset, int length) {
    return fields.format(value, offset, length);
  }

  @Override
  public byte[] parse(String text) {
    return fields.parse(text);
  }

  @Override
  public String toJson(byte[] value, int offset, int length) {
    return '[' + String.join(", ", fields.toJson(value, offset, length)) + ']';
  }

  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    return '(' + String.join(", ", fields.toCqlLiterals(value, offset, length)) + ')';
  }
}
