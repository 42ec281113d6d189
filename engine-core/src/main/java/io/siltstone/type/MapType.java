package io.siltstone.type;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code map}: a count, then key and value of each entry as {@link Elements}, in the keys' order.
 *
 * <p>Ordered by the first entry that differs, key before value, then by size. Source: Cassandra
 * {@code MapType}.
 */
final class MapType extends CompoundType {
  private static final String SIMPLE_NAME = "MapType";

  private final CqlType key;
  private final CqlType value;

  MapType(CqlType key, CqlType value, boolean multiCell) {
    super(
        List.of(key, value),
        multiCell,
        ClassNames.of(SIMPLE_NAME, List.of(key, value)),
        ClassNames.withinFrozen(SIMPLE_NAME, List.of(key, value)));
    this.key = key;
    this.value = value;
  }

  @Override
  public TypeKind kind() {
    return TypeKind.MAP;
  }

  @Override
  public String cqlName() {
    String name = "map<" + key.cqlName() + ", " + value.cqlName() + '>';
    return cqlNameOf(name);
  }

  @Override
  public CqlType frozen() {
    return isMultiCell() ? new MapType(key.frozen(), value.frozen(), false) : this;
  }

  @Override
  public CqlType pathType() {
    return isMultiCell() ? key : super.pathType();
  }

  @Override
  public CqlType cellType(byte[] path, int offset, int length) {
    return isMultiCell() ? value : super.cellType(path, offset, length);
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
      for (int part = 0; part < 2; part++) {
        int leftPart = Elements.presentLength(this, left, l, leftEnd);
        int rightPart = Elements.presentLength(this, right, r, rightEnd);
        l += Elements.LENGTH_BYTES;
        r += Elements.LENGTH_BYTES;
        int order = (part == 0 ? key : value).compare(left, l, leftPart, right, r, rightPart);
        if (order != 0) {
          return order;
        }
        l += leftPart;
        r += rightPart;
      }
    }
    return Integer.compare(leftCount, rightCount);
  }

  /** Receives each entry of a serialized map. */
  private interface EntryVisitor {
    void visit(int keyOffset, int keyLength, int valueOffset, int valueLength);
  }

  /** Passes each entry, and checks all lengths and the end. */
  private void visit(byte[] map, int offset, int length, EntryVisitor visitor) {
    int end = offset + length;
    int count = Elements.count(this, map, offset, end);
    int i = offset + Elements.LENGTH_BYTES;
    for (int k = 0; k < count; k++) {
      int keyLength = Elements.presentLength(this, map, i, end);
      int keyOffset = i + Elements.LENGTH_BYTES;
      i = keyOffset + keyLength;
      int valueLength = Elements.presentLength(this, map, i, end);
      int valueOffset = i + Elements.LENGTH_BYTES;
      i = valueOffset + valueLength;
      visitor.visit(keyOffset, keyLength, valueOffset, valueLength);
    }
    Elements.checkEnd(this, i, end);
  }

  @Override
  public void validate(byte[] map, int offset, int length) {
    visit(
        map,
        offset,
        length,
        (keyOffset, keyLength, valueOffset, valueLength) -> {
          key.validate(map, keyOffset, keyLength);
          value.validate(map, valueOffset, valueLength);
        });
  }

  @Override
  public Object decode(byte[] map, int offset, int length) {
    if (Elements.count(this, map, offset, offset + length) < 0) {
      throw new IllegalArgumentException(cqlName() + " with a negative count");
    }
    Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
    visit(
        map,
        offset,
        length,
        (keyOffset, keyLength, valueOffset, valueLength) ->
            entries.put(
                key.decode(map, keyOffset, keyLength),
                value.decode(map, valueOffset, valueLength)));
    return Collections.unmodifiableMap(entries);
  }

  @Override
  public byte[] encode(Object object) {
    if (object instanceof String text) {
      return encodeLiteral(text);
    }
    if (!(object instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException(
          "a " + object.getClass().getName() + " is no " + cqlName() + ", allowed: Map, String");
    }
    Map<byte[], byte[]> entries = newEntries();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (entry.getKey() == null || entry.getValue() == null) {
        throw new IllegalArgumentException(cqlName() + " with a null key or value, allowed none");
      }
      if (entries.put(key.encode(entry.getKey()), value.encode(entry.getValue())) != null) {
        throw new IllegalArgumentException(
            cqlName() + " with two keys that are one: " + entry.getKey());
      }
    }
    return pack(entries);
  }

  /** Returns an empty map that is ordered by its keys. */
  private Map<byte[], byte[]> newEntries() {
    return new TreeMap<>(
        (left, right) -> key.compare(left, 0, left.length, right, 0, right.length));
  }

  private static byte[] pack(Map<byte[], byte[]> entries) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Elements.writeInt(out, entries.size());
    entries.forEach(
        (keyBytes, valueBytes) -> {
          Elements.write(out, keyBytes);
          Elements.write(out, valueBytes);
        });
    return out.toByteArray();
  }

  @Override
  byte[] inOrder(byte[] map) {
    Map<byte[], byte[]> entries = newEntries();
    visit(
        map,
        0,
        map.length,
        (keyOffset, keyLength, valueOffset, valueLength) ->
            entries.put(
                key.inOrder(Arrays.copyOfRange(map, keyOffset, keyOffset + keyLength)),
                value.inOrder(Arrays.copyOfRange(map, valueOffset, valueOffset + valueLength))));
    return pack(entries);
  }

  @Override
  public String format(byte[] map, int offset, int length) {
    return ScalarType.toHex(map, offset, length);
  }

  @Override
  public byte[] parse(String text) {
    return ScalarType.fromHex(text, cqlName());
  }

  @Override
  public String toJson(byte[] map, int offset, int length) {
    StringJoiner json = new StringJoiner(", ", "{", "}");
    visit(
        map,
        offset,
        length,
        (keyOffset, keyLength, valueOffset, valueLength) ->
            json.add(
                JsonText.asKey(key.toJson(map, keyOffset, keyLength))
                    + ": "
                    + value.toJson(map, valueOffset, valueLength)));
    return json.toString();
  }

  @Override
  public String toCqlLiteral(byte[] map, int offset, int length) {
    StringJoiner literal = new StringJoiner(", ", "{", "}");
    visit(
        map,
        offset,
        length,
        (keyOffset, keyLength, valueOffset, valueLength) ->
            literal.add(
                key.toCqlLiteral(map, keyOffset, keyLength)
                    + ": "
                    + value.toCqlLiteral(map, valueOffset, valueLength)));
    return literal.toString();
  }
}
