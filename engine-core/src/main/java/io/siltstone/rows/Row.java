package io.siltstone.rows;

import io.siltstone.schema.Column;
import io.siltstone.type.CqlDuration;
import io.siltstone.type.CqlType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One live row of a result, with the partition key and static columns of its partition.
 *
 * <p>A partition that has live static columns but no live row is shown as one row, whose clustering
 * and regular columns are null, as in CQL; see {@link #isStaticOnly}.
 *
 * <p>Columns are identified by name (without quotes) or by index in {@link #columns()}. Values are
 * kept in serialized form, and are deserialized with each call to the classes that {@code
 * io.siltstone.type} lists. A name that the row does not have, and a value of another class than
 * asked for, is an {@link IllegalArgumentException} that names the column. If there is no value,
 * methods that return objects return null, and methods that return primitives throw a {@link
 * NullPointerException}: call {@link #isNull(String)} first.
 *
 * <p>Immutable, safe for use by any number of threads, and still valid after the read is closed.
 */
public final class Row {
  private final ResultColumns columns;
  private final byte[] ofPartition;
  private final byte @Nullable [] ofRow;
  private final long nowSeconds;

  /**
   * @param ofPartition block of partition key and static columns
   * @param ofRow block of clustering and regular columns, null if there is no row
   */
  Row(ResultColumns columns, byte[] ofPartition, byte @Nullable [] ofRow, long nowSeconds) {
    this.columns = columns;
    this.ofPartition = ofPartition;
    this.ofRow = ofRow;
    this.nowSeconds = nowSeconds;
  }

  /** Returns the columns of the row, with or without values. */
  public ResultColumns columns() {
    return columns;
  }

  /**
   * Returns whether the row stands for a partition without live rows, so that only static columns
   * have values.
   */
  public boolean isStaticOnly() {
    return ofRow == null;
  }

  private byte @Nullable [] block(int index) {
    return columns.isOfPartition(index) ? ofPartition : ofRow;
  }

  /** Returns whether the column has no value. */
  public boolean isNull(String name) {
    return isNull(columns.indexOf(name));
  }

  /** Returns whether the column at that index has no value. */
  public boolean isNull(int index) {
    byte[] block = block(index);
    return block == null || ValueBlock.isNull(block, columns.slot(index));
  }

  /**
   * Returns the value of a column. A list, set, map or user type is returned as a whole and is
   * unmodifiable. Null if there is no value, or an empty one of a type that gives empty values no
   * meaning.
   */
  public @Nullable Object get(String name) {
    return get(columns.indexOf(name));
  }

  /** Returns the value of the column at an index; see {@link #get(String)}. */
  public @Nullable Object get(int index) {
    byte[] block = block(index);
    int slot = columns.slot(index);
    if (block == null || ValueBlock.isNull(block, slot)) {
      return null;
    }
    try {
      return columns
          .type(index)
          .decode(block, ValueBlock.offset(block, slot), ValueBlock.length(block, slot));
    } catch (IllegalArgumentException e) {
      throw columns.refused(index, e);
    }
  }

  /** Returns the value of a column as an object of a class. */
  public <T> @Nullable T get(String name, Class<T> as) {
    return get(columns.indexOf(name), as);
  }

  /** Returns the value of the column at an index as an object of a class. */
  public <T> @Nullable T get(int index, Class<T> as) {
    Object value = get(index);
    if (value != null && !as.isInstance(value)) {
      throw noSuch(index, as.getName());
    }
    return as.cast(value);
  }

  private IllegalArgumentException noSuch(int index, String asked) {
    Column column = columns.get(index);
    return new IllegalArgumentException(
        "column '" + column.name() + "' of type " + column.type() + " has no value as " + asked);
  }

  /**
   * Returns a view of the serialized value of a column, which must not be written to. A multi-cell
   * column is serialized like its frozen type; a counter is the serialized list of its shards. Null
   * if there is no value.
   */
  public @Nullable ByteBuffer getSerialized(String name) {
    return getSerialized(columns.indexOf(name));
  }

  /** Returns the serialized value of the column at an index; see {@link #getSerialized(String)}. */
  public @Nullable ByteBuffer getSerialized(int index) {
    byte[] block = block(index);
    int slot = columns.slot(index);
    if (block == null || ValueBlock.isNull(block, slot)) {
      return null;
    }
    return ByteBuffer.wrap(block, ValueBlock.offset(block, slot), ValueBlock.length(block, slot))
        .slice()
        .asReadOnlyBuffer();
  }

  /** Returns the value of a text or ascii column. */
  public @Nullable String getString(String name) {
    return get(name, String.class);
  }

  /** Returns the value of a boolean column. */
  public boolean getBoolean(String name) {
    int index = columns.indexOf(name);
    return notNull(index, get(index, Boolean.class));
  }

  /**
   * Returns the value of an integer column of any width, or of a counter.
   *
   * @throws IllegalArgumentException if the number does not fit an {@code int}
   */
  public int getInt(String name) {
    int index = columns.indexOf(name);
    long value = integer(index, "an int");
    if ((int) value != value) {
      throw noSuch(index, "an int: " + value);
    }
    return (int) value;
  }

  /**
   * Returns the value of an integer column of any width, or of a counter.
   *
   * @throws IllegalArgumentException if the number does not fit a {@code long}
   */
  public long getLong(String name) {
    return integer(columns.indexOf(name), "a long");
  }

  private long integer(int index, String asked) {
    Number value = notNull(index, get(index, Number.class));
    if (value instanceof BigInteger big) {
      if (big.bitLength() >= Long.SIZE) {
        throw noSuch(index, asked + ": " + big);
      }
      return big.longValue();
    }
    if (value instanceof Float || value instanceof Double || value instanceof BigDecimal) {
      throw noSuch(index, asked);
    }
    return value.longValue();
  }

  /** Returns the value of a double or float column. */
  public double getDouble(String name) {
    int index = columns.indexOf(name);
    Number value = notNull(index, get(index, Number.class));
    if (!(value instanceof Double || value instanceof Float)) {
      throw noSuch(index, "a double");
    }
    return value.doubleValue();
  }

  private <T> T notNull(int index, @Nullable T value) {
    if (value == null) {
      throw new NullPointerException("column '" + columns.get(index).name() + "' is null");
    }
    return value;
  }

  /** Returns the value of a varint column. */
  public @Nullable BigInteger getBigInteger(String name) {
    return get(name, BigInteger.class);
  }

  /** Returns the value of a decimal column. */
  public @Nullable BigDecimal getDecimal(String name) {
    return get(name, BigDecimal.class);
  }

  /** Returns the value of a uuid or timeuuid column. */
  public @Nullable UUID getUuid(String name) {
    return get(name, UUID.class);
  }

  /** Returns the value of a timestamp column. */
  public @Nullable Instant getInstant(String name) {
    return get(name, Instant.class);
  }

  /** Returns the value of a date column. */
  public @Nullable LocalDate getDate(String name) {
    return get(name, LocalDate.class);
  }

  /** Returns the value of a time column. */
  public @Nullable LocalTime getTime(String name) {
    return get(name, LocalTime.class);
  }

  /** Returns the value of a duration column. */
  public @Nullable CqlDuration getDuration(String name) {
    return get(name, CqlDuration.class);
  }

  /** Returns the value of an inet column. */
  public @Nullable InetAddress getInet(String name) {
    return get(name, InetAddress.class);
  }

  /** Returns the value of a blob column, in a new array. */
  public byte @Nullable [] getBytes(String name) {
    return get(name, byte[].class);
  }

  /**
   * Returns the value of a list or vector column, or of a tuple, whose elements may be of several
   * classes and null.
   *
   * @param element the class of all elements; {@code Object} for any
   */
  public <E> @Nullable List<@Nullable E> getList(String name, Class<E> element) {
    int index = columns.indexOf(name);
    List<?> list = get(index, List.class);
    if (list == null) {
      return null;
    }
    for (Object value : list) {
      check(index, element, value);
    }
    @SuppressWarnings("unchecked") // each element was looked at
    List<@Nullable E> checked = (List<@Nullable E>) list;
    return checked;
  }

  /**
   * Returns the value of a set column. It iterates in the order of the element type.
   *
   * @param element the class of all elements
   */
  public <E> @Nullable Set<E> getSet(String name, Class<E> element) {
    int index = columns.indexOf(name);
    Set<?> set = get(index, Set.class);
    if (set == null) {
      return null;
    }
    for (Object value : set) {
      check(index, element, value);
    }
    @SuppressWarnings("unchecked") // each element was looked at
    Set<E> checked = (Set<E>) set;
    return checked;
  }

  /**
   * Returns the value of a map column, which iterates in the order of its keys; or of a user type,
   * as a map from field names to values, which may be of several classes and null.
   *
   * @param key the class of all keys
   * @param value the class of all values; {@code Object} for any
   */
  public <K, V> @Nullable Map<K, @Nullable V> getMap(String name, Class<K> key, Class<V> value) {
    int index = columns.indexOf(name);
    Map<?, ?> map = get(index, Map.class);
    if (map == null) {
      return null;
    }
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      check(index, key, entry.getKey());
      check(index, value, entry.getValue());
    }
    @SuppressWarnings("unchecked") // each entry was looked at
    Map<K, @Nullable V> checked = (Map<K, @Nullable V>) map;
    return checked;
  }

  private void check(int index, Class<?> as, @Nullable Object value) {
    if (value != null && !as.isInstance(value)) {
      throw noSuch(index, "one of " + as.getName() + ", it holds a " + value.getClass().getName());
    }
  }

  /**
   * Returns the timestamp of a column's value, in microseconds since 1970 by the writer's clock;
   * for a multi-cell column that of its newest cell (CQL's {@code WRITETIME} and {@code
   * MAXWRITETIME}). Empty if there is no value.
   *
   * @throws IllegalArgumentException for a column of the primary key, which has no timestamp
   */
  public OptionalLong timestamp(String name) {
    int index = cellIndex(name);
    byte[] block = block(index);
    int slot = columns.slot(index);
    return block == null || ValueBlock.isNull(block, slot)
        ? OptionalLong.empty()
        : OptionalLong.of(ValueBlock.timestamp(block, slot));
  }

  /**
   * Returns the seconds until a column's value expires, counted from the time of the query; for a
   * multi-cell column until the first of its cells expires (CQL's {@code TTL}). Empty if there is
   * no value, or if it never expires.
   *
   * @throws IllegalArgumentException for a column of the primary key, which has no TTL
   */
  public OptionalInt ttl(String name) {
    int index = cellIndex(name);
    byte[] block = block(index);
    int slot = columns.slot(index);
    if (block == null || ValueBlock.isNull(block, slot)) {
      return OptionalInt.empty();
    }
    long expires = ValueBlock.expires(block, slot);
    return expires == Long.MAX_VALUE
        ? OptionalInt.empty()
        : OptionalInt.of((int) Math.min(Integer.MAX_VALUE, expires - nowSeconds));
  }

  private int cellIndex(String name) {
    int index = columns.indexOf(name);
    if (columns.get(index).isPrimaryKey()) {
      throw new IllegalArgumentException(
          "column '" + name + "' belongs to the primary key, which has neither timestamp nor TTL");
    }
    return index;
  }

  /** Returns the values of the clustering columns' slots, to go on from; the row has them. */
  byte @Nullable [] rowBlock() {
    return ofRow;
  }

  byte[] partitionBlock() {
    return ofPartition;
  }

  /**
   * Returns whether both rows have the same columns with the same values. Timestamps are not
   * compared.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof Row that) || !columns.equals(that.columns)) {
      return false;
    }
    for (int i = 0; i < columns.size(); i++) {
      ByteBuffer value = getSerialized(i);
      ByteBuffer thatValue = that.getSerialized(i);
      if (value == null ? thatValue != null : !value.equals(thatValue)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = 0; i < columns.size(); i++) {
      ByteBuffer value = getSerialized(i);
      hash = 31 * hash + (value == null ? 0 : value.hashCode());
    }
    return hash;
  }

  /** Returns the names and values of all columns that have one, in CQL: {@code {k=1, v='one'}}. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", "{", "}");
    for (int i = 0; i < columns.size(); i++) {
      byte[] block = block(i);
      int slot = columns.slot(i);
      if (block != null && !ValueBlock.isNull(block, slot)) {
        CqlType type = columns.type(i);
        int offset = ValueBlock.offset(block, slot);
        int length = ValueBlock.length(block, slot);
        text.add(columns.get(i).name() + "=" + literal(type, block, offset, length));
      }
    }
    return text.toString();
  }

  /** Returns the value as CQL has it, or its bytes if they are no value of the type. */
  private static String literal(CqlType type, byte[] block, int offset, int length) {
    try {
      return type.toCqlLiteral(block, offset, length);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return "0x" + HexFormat.of().formatHex(block, offset, offset + length) + " (damaged)";
    }
  }
}
