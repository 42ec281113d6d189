package io.siltstone.interop;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.Duration;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.AsciiType;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.db.marshal.BytesType;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.marshal.IntegerType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.SimpleDateType;
import org.apache.cassandra.db.marshal.TupleType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.VectorType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * Selects the rows of a table by Cassandra and returns them as {@link CanonicalRow}s. Values are
 * decoded by Cassandra's own types.
 */
final class SelectedRows {
  private SelectedRows() {}

  /**
   * Returns all rows, sorted.
   *
   * @param columns names of columns, in the order in which the texts have them
   * @param nowSeconds decides what has expired, in seconds since 1970
   */
  static List<String> texts(
      CassandraNode node, CassandraTable table, List<String> columns, long nowSeconds) {
    List<String> selected = new ArrayList<>();
    for (ColumnMetadata column : columns(table, columns)) {
      selected.add(column.name.toCQLString());
    }
    String cql =
        "SELECT "
            + String.join(", ", selected)
            + " FROM "
            + CassandraNode.KEYSPACE
            + "."
            + table.name();
    List<ColumnMetadata> types = columns(table, columns);
    return node.select(cql, nowSeconds, List.of()).stream()
        .map(row -> text(types, row))
        .sorted()
        .toList();
  }

  /** Returns columns by name. */
  static List<ColumnMetadata> columns(CassandraTable table, List<String> names) {
    return names.stream()
        .map(name -> table.metadata().getColumn(ByteBufferUtil.bytes(name)))
        .toList();
  }

  /** Returns the text of a row of serialized values; null for null. */
  static String text(List<ColumnMetadata> columns, List<@Nullable ByteBuffer> row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      values.add(text(columns.get(i).type, row.get(i)));
    }
    return CanonicalRow.list(values);
  }

  /**
   * Returns the text of a serialized value. An empty one is null in Spark, but for strings and
   * blobs, and of a user type one whose fields are null.
   */
  private static String text(AbstractType<?> declared, @Nullable ByteBuffer bytes) {
    AbstractType<?> type = declared.unwrap();
    boolean canBeEmpty =
        type instanceof UTF8Type
            || type instanceof AsciiType
            || type instanceof BytesType
            || type instanceof TupleType;
    if (bytes == null || (!bytes.hasRemaining() && !canBeEmpty)) {
      return CanonicalRow.NULL;
    }
    if (type instanceof TupleType tuple) { // user types too
      return CanonicalRow.list(fields(tuple, bytes));
    }
    return composed(type, type.compose(bytes.duplicate()));
  }

  private static List<String> fields(TupleType tuple, ByteBuffer bytes) {
    @Nullable ByteBuffer[] parts = tuple.split(ByteBufferAccessor.instance, bytes.duplicate());
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < tuple.size(); i++) {
      fields.add(text(tuple.type(i), i < parts.length ? parts[i] : null));
    }
    return fields;
  }

  private static List<String> all(AbstractType<?> type, Collection<?> values) {
    return values.stream().map(value -> composed(type.unwrap(), value)).toList();
  }

  private static String composed(AbstractType<?> type, @Nullable Object value) {
    if (value == null) {
      return CanonicalRow.NULL;
    }
    if (type instanceof ListType<?> list) {
      return CanonicalRow.list(all(list.getElementsType(), (Collection<?>) value));
    }
    if (type instanceof SetType<?> set) {
      return CanonicalRow.list(all(set.getElementsType(), (Collection<?>) value));
    }
    if (type instanceof VectorType<?> vector) {
      return CanonicalRow.list(all(vector.elementType, (Collection<?>) value));
    }
    if (type instanceof MapType<?, ?> map) {
      Map<?, ?> entries = (Map<?, ?>) value;
      return CanonicalRow.map(
          all(map.getKeysType(), entries.keySet()), all(map.getValuesType(), entries.values()));
    }
    if (type instanceof TupleType tuple) {
      return CanonicalRow.list(fields(tuple, (ByteBuffer) value));
    }
    if (type instanceof SimpleDateType) {
      return CanonicalRow.day((Integer) value ^ Integer.MIN_VALUE);
    }
    if (type instanceof DecimalType) {
      return CanonicalRow.quoted(((java.math.BigDecimal) value).toPlainString());
    }
    if (type instanceof IntegerType) {
      return CanonicalRow.quoted(value.toString());
    }
    return scalar(value);
  }

  private static String scalar(Object value) {
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    if (value instanceof ByteBuffer bytes) {
      return CanonicalRow.hex(bytes);
    }
    if (value instanceof Date date) {
      return Long.toString(Math.multiplyExact(date.getTime(), 1000));
    }
    if (value instanceof InetAddress address) {
      return CanonicalRow.quoted(address.getHostAddress());
    }
    if (value instanceof Duration duration) {
      return Arrays.asList(duration.getMonths(), duration.getDays(), duration.getNanoseconds())
          .toString();
    }
    // Texts, uuid and timeuuid.
    return CanonicalRow.quoted(value.toString());
  }
}
