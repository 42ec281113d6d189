package io.siltstone.type;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The value of a tuple or user type: its fields as {@link Elements}, any of them null, those at the
 * end perhaps missing.
 *
 * <p>Ordered by the first field that differs, null first; missing fields are nulls, but a value
 * without any byte comes before all others. Immutable. Source: Cassandra {@code TupleType}.
 */
final class Fields {
  private final CqlType owner;
  private final List<CqlType> types;

  /**
   * @param owner the tuple or user type, for messages
   */
  Fields(CqlType owner, List<CqlType> types) {
    this.owner = owner;
    this.types = types;
  }

  int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return Order.emptyFirst(leftLength, rightLength);
    }
    int leftEnd = leftOffset + leftLength;
    int rightEnd = rightOffset + rightLength;
    int l = leftOffset;
    int r = rightOffset;
    for (int i = 0; i < types.size() && l < leftEnd && r < rightEnd; i++) {
      int leftPart = Elements.length(owner, left, l, leftEnd);
      int rightPart = Elements.length(owner, right, r, rightEnd);
      l += Elements.LENGTH_BYTES;
      r += Elements.LENGTH_BYTES;
      if (leftPart == Elements.NULL || rightPart == Elements.NULL) {
        if (leftPart != rightPart) {
          return leftPart == Elements.NULL ? -1 : 1;
        }
        continue;
      }
      int order = types.get(i).compare(left, l, leftPart, right, r, rightPart);
      if (order != 0) {
        return order;
      }
      l += leftPart;
      r += rightPart;
    }
    return Boolean.compare(hasMore(left, l, leftEnd), hasMore(right, r, rightEnd));
  }

  /** Returns whether anything but nulls follows. */
  private boolean hasMore(byte[] value, int offset, int end) {
    for (int i = offset; i < end; i += Elements.LENGTH_BYTES) {
      if (Elements.length(owner, value, i, end) != Elements.NULL) {
        return true;
      }
    }
    return false;
  }

  /** Receives each field of a serialized value. */
  private interface FieldVisitor {
    /**
     * @param length {@link Elements#NULL} if the field is null
     */
    void visit(int index, int offset, int length);
  }

  /** Passes each present field, and checks all lengths and the end. */
  private void visit(byte[] value, int offset, int length, FieldVisitor visitor) {
    int end = offset + length;
    int i = offset;
    for (int index = 0; index < types.size() && i < end; index++) {
      int part = Elements.length(owner, value, i, end);
      i += Elements.LENGTH_BYTES;
      visitor.visit(index, i, part);
      i += Math.max(part, 0);
    }
    Elements.checkEnd(owner, i, end);
  }

  void validate(byte[] value, int offset, int length) {
    visit(
        value,
        offset,
        length,
        (index, at, part) -> {
          if (part != Elements.NULL) {
            types.get(index).validate(value, at, part);
          }
        });
  }

  /** Returns one object per field, null for those that are null or missing. */
  List<@Nullable Object> decode(byte[] value, int offset, int length) {
    List<@Nullable Object> objects = new ArrayList<>(types.size());
    visit(
        value,
        offset,
        length,
        (index, at, part) ->
            objects.add(part == Elements.NULL ? null : types.get(index).decode(value, at, part)));
    while (objects.size() < types.size()) {
      objects.add(null);
    }
    return objects;
  }

  /** Encodes objects in the order of the fields; there may be fewer, and each may be null. */
  byte[] encode(List<?> objects) {
    List<byte @Nullable []> parts = new ArrayList<>(objects.size());
    for (int i = 0; i < objects.size(); i++) {
      Object object = objects.get(i);
      parts.add(object == null ? null : types.get(i).encode(object));
    }
    return pack(parts);
  }

  private static byte[] pack(List<byte @Nullable []> parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      if (part == null) {
        Elements.writeInt(out, Elements.NULL);
      } else {
        Elements.write(out, part);
      }
    }
    return out.toByteArray();
  }

  String format(byte[] value, int offset, int length) {
    StringJoiner text = new StringJoiner(":");
    visit(
        value,
        offset,
        length,
        (index, at, part) ->
            text.add(
                part == Elements.NULL
                    ? "@"
                    : types
                        .get(index)
                        .format(value, at, part)
                        .replace(":", "\\:")
                        .replace("@", "\\@")));
    return text.toString();
  }

  byte[] parse(String text) {
    List<String> texts = splitAtColons(text);
    if (texts.size() > types.size()) {
      throw new IllegalArgumentException(
          texts.size() + " fields for " + owner + ", allowed " + types.size());
    }
    List<byte @Nullable []> parts = new ArrayList<>(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      String part = texts.get(i);
      parts.add(
          part.equals("@")
              ? null
              : types.get(i).parse(part.replace("\\:", ":").replace("\\@", "@")));
    }
    return pack(parts);
  }

  /** Splits a text at every colon that has no backslash before it; an empty text has no parts. */
  static List<String> splitAtColons(String text) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == ':' && (i == 0 || text.charAt(i - 1) != '\\')) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    if (!text.isEmpty()) {
      parts.add(text.substring(start));
    }
    return parts;
  }

  /** Returns the JSON of each field, {@code null} for those that are null or missing. */
  List<String> toJson(byte[] value, int offset, int length) {
    List<String> texts = texts(value, offset, length, true);
    while (texts.size() < types.size()) {
      texts.add("null");
    }
    return texts;
  }

  /** Returns the literal of each present field, {@code null} for those that are null. */
  List<String> toCqlLiterals(byte[] value, int offset, int length) {
    return texts(value, offset, length, false);
  }

  private List<String> texts(byte[] value, int offset, int length, boolean json) {
    List<String> texts = new ArrayList<>(types.size());
    visit(
        value,
        offset,
        length,
        (index, at, part) -> {
          CqlType type = types.get(index);
          texts.add(
              part == Elements.NULL
                  ? "null"
                  : json ? type.toJson(value, at, part) : type.toCqlLiteral(value, at, part));
        });
    return texts;
  }
}
