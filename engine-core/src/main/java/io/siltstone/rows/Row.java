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
 * <p>A partition that has live static columns and no live row is one row whose clustering and
 * regular columns are null, as in CQL: see {@link #isStaticOnly}.
 *
 * <p>Values are kept serialized in an array of the row's own and decoded each time they are asked
 * for, to the classes that {@code io.siltstone.type} tells. Columns are asked for by name (as
 * written, without quotes) or by their index in {@link #columns()}; a name that the row does not
 * have, and a value of another class than asked for, is an {@link IllegalArgumentException} that
 * names the column. Methods that return objects return null for null; those that return primitives
 * throw a {@link NullPointerException} then: ask {@link #isNull(String)} first.
 *
 * <p>Immutable, independent of the query it came from, safe for all threads.
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

  /** The columns it has, null or not. */
  public ResultColumns columns() {
    return columns;
  }

  /** Whether it stands for a partition rather than a row: only static columns have values. */
  public boolean isStaticOnly() {
    return ofRow == null;
  }

  private byte @Nullable [] block(int index) {
    return columns.isOfPartition(index) ? ofPartition : ofRow;
  }

  /** Whether the column has no value. */
  public boolean isNull(String name) {
    return isNull(columns.indexOf(name));
  }

  /** Whether the column at that index has no value. */
  public boolean isNull(int index) {
    byte[] block = block(index);
    return block == null || ValueBlock.isNull(block, columns.slot(index));
  }

  /**
   * The value, decoded; a list, set, map or user type whole and unmodifiable. Null without value,
   * and for the empty value of a type where empty has no meaning of its own.
   */
  public @Nullable Object get(String name) {
    return get(columns.indexOf(name));
  }

  /** As {@link #get(String)}, by the column's index. */
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
      Column column = columns.get(index);
      throw new IllegalArgumentException(
          "the value of column '"
              + column.name()
              + "' of "
              + columns.table()
              + " is none of type "
              + column.type()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /** The value as an object of that class. */
  public <T> @Nullable T get(String name, Class<T> as) {
    return get(columns.indexOf(name), as);
  }

  /** As {@link #get(String, Class)}, by the column's index. */
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
   * The serialized value where it lies, not to be written to; of a multi-cell column that of the
   * frozen type, of a counter its shards. Null without value.
   */
  public @Nullable ByteBuffer getSerialized(String name) {
    return getSerialized(columns.indexOf(name));
  }

  /** As {@link #getSerialized(String)}, by the column's index. */
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

  /** Of a text or ascii column. */
  public @Nullable String getString(String name) {
    return get(name, String.class);
  }

  /** Of a boolean column. */
  public boolean getBoolean(String name) {
    int index = columns.indexOf(name);
    return notNull(index, get(index, Boolean.class));
  }

  /**
   * Of an integer column of any width, or of a counter.
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
   * Of an integer column of any width, or of a counter.
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

  /** Of a double or float column. */
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

  /** Of a varint column. */
  public @Nullable BigInteger getBigInteger(String name) {
    return get(name, BigInteger.class);
  }

  /** Of a decimal column. */
  public @Nullable BigDecimal getDecimal(String name) {
    return get(name, BigDecimal.class);
  }

  /** Of a uuid or timeuuid column. */
  public @Nullable UUID getUuid(String name) {
    return get(name, UUID.class);
  }

  /** Of a timestamp column. */
  public @Nullable Instant getInstant(String name) {
    return get(name, Instant.class);
  }

  /** Of a date column. */
  public @Nullable LocalDate getDate(String name) {
    return get(name, LocalDate.class);
  }

  /** Of a time column. */
  public @Nullable LocalTime getTime(String name) {
    return get(name, LocalTime.class);
  }

  /** Of a duration column. */
  public @Nullable CqlDuration getDuration(String name) {
    return get(name, CqlDuration.class);
  }

  /** Of an inet column. */
  public @Nullable InetAddress getInet(String name) {
    return get(name, InetAddress.class);
  }

  /** Of a blob column: an array of the caller's own. */
  public byte @Nullable [] getBytes(String name) {
    return get(name, byte[].class);
  }

  /**
   * Of a list or vector column, or of a tuple, whose elements may be of several classes and null.
   *
   * @param element class of all elements; {@code Object} for any
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
   * Of a set column, in the order of its type.
   *
   * @param element class of all elements
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
   * Of a map column in the order of its keys, or of a user type, which maps names of fields to
   * values of several classes or null.
   *
   * @param key class of all keys
   * @param value class of all values; {@code Object} for any
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
   * When the value was written, in microseconds since 1970 by the writer's clock; of a multi-cell
   * column when the newest of its cells was (CQL's {@code WRITETIME}, {@code MAXWRITETIME}). Empty
   * without value.
   *
   * @throws IllegalArgumentException for a column of the primary key, which has none
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
   * Seconds until the value expires, counted from the query's present; of a multi-cell column until
   * the first of its cells does (CQL's {@code TTL}). Empty without value, and if it never expires.
   *
   * @throws IllegalArgumentException for a column of the primary key, which has none
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

  /** The values of the clustering columns' slots, to go on from; the row has them. */
  byte @Nullable [] rowBlock() {
    return ofRow;
  }

  byte[] partitionBlock() {
    return ofPartition;
  }

  /** Whether both have the same columns with the same values, whenever they were written. */
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

  /** Names and values as CQL writes them, those that are not null: {@code {k=1, v='one'}}. */
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
        text.add(columns.get(i).name() + "=" + type.toCqlLiteral(block, offset, length));
      }
    }
    return text.toString();
  }
}
