package io.siltstone.type;

import io.siltstone.bytes.Vint;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * {@code vector}: as many elements as its dimension, one after the other; before each element of a
 * type without a fixed length its length as unsigned vint.
 *
 * <p>Ordered by the first element that differs. Source: Cassandra {@code VectorType}.
 */
final class VectorType extends CqlType {
  private final CqlType element;
  private final int dimension;
  private final int elementLength;
  private final int fixedLength;
  private final int depth;

  VectorType(CqlType element, int dimension) {
    this.element = element;
    this.dimension = dimension;
    this.elementLength = element.fixedLength();
    this.depth = depthOver(List.of(element));
    int max = elementLength > 0 ? Integer.MAX_VALUE / elementLength : Integer.MAX_VALUE;
    if (dimension < 1 || dimension > max) {
      throw new IllegalArgumentException(
          "vector of dimension " + dimension + ", allowed 1 to " + max);
    }
    this.fixedLength =
        elementLength == VARIABLE_LENGTH ? VARIABLE_LENGTH : elementLength * dimension;
  }

  int dimension() {
    return dimension;
  }

  @Override
  public TypeKind kind() {
    return TypeKind.VECTOR;
  }

  @Override
  public List<CqlType> elementTypes() {
    return List.of(element);
  }

  @Override
  public String cqlName() {
    return "vector<" + element.cqlName() + ", " + dimension + '>';
  }

  @Override
  public String className() {
    return className(element.className());
  }

  @Override
  String classNameWithinFrozen() {
    return className(element.classNameWithinFrozen());
  }

  private String className(String elementName) {
    return TypeParser.PACKAGE + "VectorType(" + elementName + " , " + dimension + ')';
  }

  @Override
  int depth() {
    return depth;
  }

  @Override
  public int fixedLength() {
    return fixedLength;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return Order.emptyFirst(leftLength, rightLength);
    }
    requireElements(leftOffset, leftOffset + leftLength);
    requireElements(rightOffset, rightOffset + rightLength);
    int leftEnd = leftOffset + leftLength;
    int rightEnd = rightOffset + rightLength;
    int l = leftOffset;
    int r = rightOffset;
    for (int i = 0; i < dimension; i++) {
      int leftPart = elementLength(left, l, leftEnd);
      int rightPart = elementLength(right, r, rightEnd);
      l += prefixLength(leftPart);
      r += prefixLength(rightPart);
      int order = element.compare(left, l, leftPart, right, r, rightPart);
      if (order != 0) {
        return order;
      }
      l += leftPart;
      r += rightPart;
    }
    return 0;
  }

  /**
   * Checks that there are bytes for the elements: a value without bytes has none, whatever the
   * dimension.
   */
  private void requireElements(int offset, int end) {
    if (elementLength == 0) {
      Elements.checkEnd(this, offset, end);
    }
  }

  /** Returns the length of the element whose prefix, if it has one, is at {@code offset}. */
  private int elementLength(byte[] value, int offset, int end) {
    int rest = end - offset;
    if (elementLength != VARIABLE_LENGTH) {
      if (rest < elementLength) {
        throw Elements.truncated(this, "an element");
      }
      return elementLength;
    }
    if (!Vint.isWhole(value, offset, end)) {
      throw Elements.truncated(this, "an element's length");
    }
    long length = Vint.read(value, offset);
    if (length < 0 || length > rest - Vint.length(length)) {
      throw new IllegalArgumentException(
          this
              + " has an element of "
              + Long.toUnsignedString(length)
              + " bytes, allowed less than "
              + rest);
    }
    return (int) length;
  }

  /**
   * Returns the number of bytes before an element. Like Cassandra, it assumes that lengths are
   * written in the shortest form.
   */
  private int prefixLength(int length) {
    return elementLength == VARIABLE_LENGTH ? Vint.length(length) : 0;
  }

  /** Receives each element of a serialized vector. */
  private interface ElementVisitor {
    void visit(int offset, int length);
  }

  /** Passes each element, and checks all lengths and the end. */
  private void visit(byte[] value, int offset, int length, ElementVisitor visitor) {
    if (length == 0) {
      throw new IllegalArgumentException(this + " of 0 bytes, allowed 1 or more");
    }
    int end = offset + length;
    requireElements(offset, end);
    int i = offset;
    for (int k = 0; k < dimension; k++) {
      int part = elementLength(value, i, end);
      i += prefixLength(part);
      visitor.visit(i, part);
      i += part;
    }
    Elements.checkEnd(this, i, end);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    visit(value, offset, length, (at, part) -> element.validate(value, at, part));
  }

  @Override
  public Object decode(byte[] value, int offset, int length) {
    List<@Nullable Object> objects = new ArrayList<>();
    visit(value, offset, length, (at, part) -> objects.add(element.decode(value, at, part)));
    return Collections.unmodifiableList(objects);
  }

  @Override
  public byte[] encode(Object value) {
    if (value instanceof String text) {
      return encodeLiteral(text);
    }
    List<?> objects;
    if (value instanceof List<?> list) {
      objects = list;
    } else if (value instanceof float[] array) {
      List<Float> boxed = new ArrayList<>(array.length);
      for (float number : array) {
        boxed.add(number);
      }
      objects = boxed;
    } else {
      throw new IllegalArgumentException(
          "a "
              + value.getClass().getName()
              + " is no "
              + cqlName()
              + ", allowed: List, float[], String");
    }
    if (objects.size() != dimension) {
      throw new IllegalArgumentException(
          objects.size() + " elements for " + cqlName() + ", allowed " + dimension);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] prefix = new byte[Vint.MAX_LENGTH];
    for (Object object : objects) {
      if (object == null) {
        throw new IllegalArgumentException(cqlName() + " with a null element, allowed none");
      }
      byte[] part = element.encode(object);
      if (elementLength == VARIABLE_LENGTH) {
        out.write(prefix, 0, Vint.write(prefix, 0, part.length));
      }
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  @Override
  public String format(byte[] value, int offset, int length) {
    return ScalarType.toHex(value, offset, length);
  }

  @Override
  public byte[] parse(String text) {
    return ScalarType.fromHex(text, cqlName());
  }

  @Override
  public String toJson(byte[] value, int offset, int length) {
    StringJoiner json = new StringJoiner(", ", "[", "]");
    visit(value, offset, length, (at, part) -> json.add(element.toJson(value, at, part)));
    return json.toString();
  }

  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    StringJoiner literal = new StringJoiner(", ", "[", "]");
    visit(value, offset, length, (at, part) -> literal.add(element.toCqlLiteral(value, at, part)));
    return literal.toString();
  }
}
