package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import io.siltstone.text.CountText;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Several key columns in one value.
 *
 * <pre>
 *   static      short    0xffff, only of static columns of tables before 3.0
 *   component   × at most as many as there are types
 *     length    unsigned short
 *     value     length bytes
 *     end       byte     0; in a bound's last component 1 (after) or -1 (before)
 * </pre>
 *
 * Source: Cassandra {@code CompositeType}.
 */
final class CompositeType extends CqlType {
  private static final int STATIC = 0xffff;
  private static final int MAX_COMPONENT_LENGTH = 0xffff;
  private static final int LENGTH_BYTES = Short.BYTES;

  private final List<CqlType> types;
  private final int depth;
  private final String className;

  CompositeType(List<CqlType> types) {
    this.types = List.copyOf(types);
    if (this.types.isEmpty()) {
      throw new IllegalArgumentException("composite of 0 types, allowed 1 or more");
    }
    this.depth = depthOver(this.types);
    this.className = ClassNames.of("CompositeType", this.types);
  }

  @Override
  public TypeKind kind() {
    return TypeKind.COMPOSITE;
  }

  @Override
  public List<CqlType> elementTypes() {
    return types;
  }

  /** Returns the name in the form in which CQL writes types that it has no name for. */
  @Override
  public String cqlName() {
    return '\'' + className + '\'';
  }

  @Override
  public String className() {
    return className;
  }

  @Override
  int depth() {
    return depth;
  }

  private static boolean isStatic(byte[] value, int offset, int length) {
    return length >= LENGTH_BYTES && BigEndian.getUnsignedShort(value, offset) == STATIC;
  }

  /** Returns the length of the component at {@code offset}, whose end byte is there, too. */
  private int componentLength(byte[] value, int offset, int end, int index) {
    int rest = end - offset;
    int length = rest < LENGTH_BYTES ? -1 : BigEndian.getUnsignedShort(value, offset);
    if (length < 0 || rest < LENGTH_BYTES + length + 1) {
      throw new IllegalArgumentException("composite ends within component " + index);
    }
    if (index >= types.size()) {
      throw new IllegalArgumentException(
          "composite of more than "
              + CountText.of(types.size(), "component")
              + ", allowed "
              + types.size());
    }
    return length;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return Order.emptyFirst(leftLength, rightLength);
    }
    boolean leftStatic = isStatic(left, leftOffset, leftLength);
    if (leftStatic != isStatic(right, rightOffset, rightLength)) {
      return leftStatic ? -1 : 1;
    }
    int l = leftOffset + (leftStatic ? LENGTH_BYTES : 0);
    int r = rightOffset + (leftStatic ? LENGTH_BYTES : 0);
    int leftEnd = leftOffset + leftLength;
    int rightEnd = rightOffset + rightLength;
    for (int i = 0; l < leftEnd && r < rightEnd; i++) {
      int leftPart = componentLength(left, l, leftEnd, i);
      int rightPart = componentLength(right, r, rightEnd, i);
      l += LENGTH_BYTES;
      r += LENGTH_BYTES;
      int order = types.get(i).compare(left, l, leftPart, right, r, rightPart);
      l += leftPart;
      r += rightPart;
      if (order == 0) {
        order = Byte.compare(left[l], right[r]);
      }
      if (order != 0) {
        return order;
      }
      l++;
      r++;
    }
    return Boolean.compare(l < leftEnd, r < rightEnd);
  }

  /** Receives each component of a serialized composite. */
  private interface ComponentVisitor {
    void visit(int index, int offset, int length, byte end);
  }

  /** Passes each component, and checks lengths and end bytes. */
  private void visit(byte[] value, int offset, int length, ComponentVisitor visitor) {
    int end = offset + length;
    int i = offset + (isStatic(value, offset, length) ? LENGTH_BYTES : 0);
    for (int index = 0; i < end; index++) {
      int part = componentLength(value, i, end, index);
      i += LENGTH_BYTES;
      byte endByte = value[i + part];
      visitor.visit(index, i, part, endByte);
      i += part + 1;
      if (endByte != 0 && i != end) {
        throw new IllegalArgumentException(
            "composite has "
                + CountText.of(end - i, "byte")
                + " after a bound's end, allowed none");
      }
    }
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    visit(
        value,
        offset,
        length,
        (index, at, part, end) -> types.get(index).validate(value, at, part));
  }

  /** Returns one object per present component. */
  @Override
  public Object decode(byte[] value, int offset, int length) {
    List<@Nullable Object> objects = new ArrayList<>(types.size());
    visit(
        value,
        offset,
        length,
        (index, at, part, end) -> objects.add(types.get(index).decode(value, at, part)));
    return Collections.unmodifiableList(objects);
  }

  @Override
  public byte[] encode(Object value) {
    if (value instanceof String text) {
      byte[] bytes = CqlTypes.BLOB.encode(text);
      validate(bytes, 0, bytes.length);
      return bytes;
    }
    if (!(value instanceof List<?> objects)) {
      throw new IllegalArgumentException(
          "a " + value.getClass().getName() + " is no composite, allowed: List, String");
    }
    if (objects.size() > types.size()) {
      throw new IllegalArgumentException(
          CountText.of(objects.size(), "component") + " for a composite, allowed " + types.size());
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < objects.size(); i++) {
      Object object = objects.get(i);
      if (object == null) {
        throw new IllegalArgumentException("composite with a null component, allowed none");
      }
      write(out, types.get(i).encode(object), (byte) 0);
    }
    return out.toByteArray();
  }

  private static void write(ByteArrayOutputStream out, byte[] component, byte end) {
    if (component.length > MAX_COMPONENT_LENGTH) {
      throw new IllegalArgumentException(
          "component of "
              + CountText.of(component.length, "byte")
              + ", allowed "
              + MAX_COMPONENT_LENGTH);
    }
    out.write(component.length >> 8);
    out.write(component.length);
    out.writeBytes(component);
    out.write(end);
  }

  @Override
  public String format(byte[] value, int offset, int length) {
    StringBuilder text = new StringBuilder();
    visit(
        value,
        offset,
        length,
        (index, at, part, end) -> {
          text.append(index == 0 ? "" : ":");
          text.append(escaped(types.get(index).format(value, at, part)));
          if (end != 0) {
            text.append(end < 0 ? ":_" : ":!");
          }
        });
    return text.toString();
  }

  /** A mark keeps a backslash at the end from escaping the colon after it. */
  private static String escaped(String text) {
    String escaped = text.replace(":", "\\:");
    return escaped.endsWith("\\") || escaped.endsWith("!") ? escaped + '!' : escaped;
  }

  private static String unescaped(String text) {
    String unescaped = text.replace("\\:", ":");
    return unescaped.endsWith("!") ? unescaped.substring(0, unescaped.length() - 1) : unescaped;
  }

  @Override
  public byte[] parse(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<String> parts = Fields.splitAtColons(text);
    int index = 0;
    for (String part : parts) {
      if (part.equals("!") || part.equals("_")) {
        return withEnd(out.toByteArray(), (byte) (part.equals("!") ? 1 : -1));
      }
      if (index >= types.size()) {
        throw new IllegalArgumentException(
            CountText.of(parts.size(), "component") + " for a composite, allowed " + types.size());
      }
      CqlType type = types.get(index++);
      byte[] component = type.parse(unescaped(part));
      type.validate(component, 0, component.length);
      write(out, component, (byte) 0);
    }
    return out.toByteArray();
  }

  private static byte[] withEnd(byte[] composite, byte end) {
    if (composite.length == 0) {
      throw new IllegalArgumentException("a bound's end after 0 components, allowed 1 or more");
    }
    composite[composite.length - 1] = end;
    return composite;
  }

  /** Returns a list of the components' JSON; Cassandra has no form for it. */
  @Override
  public String toJson(byte[] value, int offset, int length) {
    List<String> parts = new ArrayList<>();
    visit(
        value,
        offset,
        length,
        (index, at, part, end) -> parts.add(types.get(index).toJson(value, at, part)));
    return parts.stream().collect(Collectors.joining(", ", "[", "]"));
  }

  /** Returns a blob, the form in which CQL writes values of types that it has no name for. */
  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    validate(value, offset, length);
    return "0x" + ScalarType.toHex(value, offset, length);
  }
}
