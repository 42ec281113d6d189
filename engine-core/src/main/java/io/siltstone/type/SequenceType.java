package io.siltstone.type;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * {@code list} and {@code set}: a count, then the {@link Elements elements}, those of a set in
 * their order.
 *
 * <p>Ordered by the first element that differs, then by size. Source: Cassandra {@code ListType},
 * {@code SetType}.
 */
final class SequenceType extends CompoundType {
  private final TypeKind kind;
  private final CqlType element;

  SequenceType(TypeKind kind, CqlType element, boolean multiCell) {
    super(
        List.of(element),
        multiCell,
        ClassNames.of(simpleName(kind), List.of(element)),
        ClassNames.withinFrozen(simpleName(kind), List.of(element)));
    this.kind = kind;
    this.element = element;
  }

  private static String simpleName(TypeKind kind) {
    return kind == TypeKind.LIST ? "ListType" : "SetType";
  }

  @Override
  public TypeKind kind() {
    return kind;
  }

  @Override
  public String cqlName() {
    String name = kind.name().toLowerCase(Locale.ROOT) + '<' + element.cqlName() + '>';
    return cqlNameOf(name);
  }

  @Override
  public CqlType frozen() {
    return isMultiCell() ? new SequenceType(kind, element.frozen(), false) : this;
  }

  @Override
  public CqlType pathType() {
    if (!isMultiCell()) {
      return super.pathType();
    }
    return kind == TypeKind.LIST ? CqlTypes.TIMEUUID : element;
  }

  @Override
  public CqlType cellType(byte[] path, int offset, int length) {
    if (!isMultiCell()) {
      return super.cellType(path, offset, length);
    }
    return kind == TypeKind.LIST ? element : CqlTypes.EMPTY;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return Order.emptyFirst(leftLength, rightLength);
    }
    int leftEnd = leftOffset + leftLength;
    int rightEnd = rightOffset + rightLength;
    int leftCount = Elements.count(this, left, leftOffset, leftEnd);
    int rightCount = Elements.count(this, right, rightOffset, rightEnd);
    int common = Math.min(leftCount, rightCount);
    int l = leftOffset + Elements.LENGTH_BYTES;
    int r = rightOffset + Elements.LENGTH_BYTES;
    for (int i = 0; i < common; i++) {
      int leftPart = Elements.presentLength(this, left, l, leftEnd);
      int rightPart = Elements.presentLength(this, right, r, rightEnd);
      l += Elements.LENGTH_BYTES;
      r += Elements.LENGTH_BYTES;
      int order = element.compare(left, l, leftPart, right, r, rightPart);
      if (order != 0) {
        return order;
      }
      l += leftPart;
      r += rightPart;
    }
    return Integer.compare(leftCount, rightCount);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    int end = offset + length;
    int count = Elements.count(this, value, offset, end);
    int i = offset + Elements.LENGTH_BYTES;
    for (int k = 0; k < count; k++) {
      int part = Elements.presentLength(this, value, i, end);
      i += Elements.LENGTH_BYTES;
      element.validate(value, i, part);
      i += part;
    }
    Elements.checkEnd(this, i, end);
  }

  /** The list grows with what is there, whatever the count says. */
  @Override
  public Object decode(byte[] value, int offset, int length) {
    int end = offset + length;
    int count = Elements.count(this, value, offset, end);
    if (count < 0) {
      throw new IllegalArgumentException(cqlName() + " of " + count + " elements");
    }
    List<@Nullable Object> elements = new ArrayList<>();
    int i = offset + Elements.LENGTH_BYTES;
    for (int k = 0; k < count; k++) {
      int part = Elements.presentLength(this, value, i, end);
      i += Elements.LENGTH_BYTES;
      elements.add(element.decode(value, i, part));
      i += part;
    }
    Elements.checkEnd(this, i, end);
    return kind == TypeKind.LIST
        ? Collections.unmodifiableList(elements)
        : Collections.unmodifiableSet(new LinkedHashSet<>(elements));
  }

  @Override
  public byte[] encode(Object value) {
    if (value instanceof String text) {
      return encodeLiteral(text);
    }
    if (!(value instanceof Collection<?> elements)
        || (kind == TypeKind.LIST && !(value instanceof List<?>))) {
      throw new IllegalArgumentException(
          "a "
              + value.getClass().getName()
              + " is no "
              + cqlName()
              + ", allowed: "
              + (kind == TypeKind.LIST ? "List" : "Set or other Collection")
              + ", String");
    }
    List<byte[]> parts = new ArrayList<>(elements.size());
    for (Object part : elements) {
      if (part == null) {
        throw new IllegalArgumentException(cqlName() + " with a null element, allowed none");
      }
      parts.add(element.encode(part));
    }
    return pack(kind == TypeKind.SET ? inOrder(parts) : parts);
  }

  @Override
  byte[] inOrder(byte[] value) {
    if (kind == TypeKind.LIST && element.elementTypes().isEmpty()) {
      return value;
    }
    List<byte[]> parts = new ArrayList<>();
    int end = value.length;
    for (int i = Elements.LENGTH_BYTES; i < end; ) {
      int from = i + Elements.LENGTH_BYTES;
      i = from + Elements.presentLength(this, value, i, end);
      parts.add(element.inOrder(Arrays.copyOfRange(value, from, i)));
    }
    return pack(kind == TypeKind.SET ? inOrder(parts) : parts);
  }

  private List<byte[]> inOrder(List<byte[]> parts) {
    parts.sort(this::compareParts);
    List<byte[]> distinct = new ArrayList<>(parts.size());
    for (byte[] part : parts) {
      if (distinct.isEmpty() || compareParts(distinct.get(distinct.size() - 1), part) != 0) {
        distinct.add(part);
      }
    }
    return distinct;
  }

  private int compareParts(byte[] left, byte[] right) {
    return element.compare(left, 0, left.length, right, 0, right.length);
  }

  private static byte[] pack(List<byte[]> parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Elements.writeInt(out, parts.size());
    parts.forEach(part -> Elements.write(out, part));
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
    return joined(value, offset, length, new StringJoiner(", ", "[", "]"), true);
  }

  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    boolean list = kind == TypeKind.LIST;
    StringJoiner joiner = new StringJoiner(", ", list ? "[" : "{", list ? "]" : "}");
    return joined(value, offset, length, joiner, false);
  }

  private String joined(byte[] value, int offset, int length, StringJoiner joiner, boolean json) {
    int end = offset + length;
    int count = Elements.count(this, value, offset, end);
    int i = offset + Elements.LENGTH_BYTES;
    for (int k = 0; k < count; k++) {
      int part = Elements.presentLength(this, value, i, end);
      i += Elements.LENGTH_BYTES;
      joiner.add(json ? element.toJson(value, i, part) : element.toCqlLiteral(value, i, part));
      i += part;
    }
    Elements.checkEnd(this, i, end);
    return joiner.toString();
  }
}
