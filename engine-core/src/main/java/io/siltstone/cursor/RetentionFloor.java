package io.siltstone.cursor;

import io.siltstone.bytes.TimeUuids;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The retention floor of a table: the least time that reads show, by event time. The time column is
 * the first clustering column; rows whose time is less than the floor are hidden. For example, with
 * the floor 12:00 of a table with {@code PRIMARY KEY (sensor, at)}:
 *
 * <pre>
 *   sensor = 1   static row                      shown
 *                at = 11:59                      hidden
 *                DELETE at &gt;= 11:00, at &lt; 13:00  from 12:00 on
 *                at = 12:00                      shown
 *   sensor = 2   at = 11:00                      the partition is hidden
 * </pre>
 *
 * The rows that are shown are one slice of each partition: its end, or its beginning if the column
 * is descending. A read of a partition is cut to that slice; a scan, a flush and a compaction go
 * through a {@link RetentionCursor}.
 *
 * <p>Immutable, safe for all threads.
 */
public final class RetentionFloor implements Comparable<RetentionFloor> {
  private static final Set<String> TIMES = Set.of("timestamp", "date", "timeuuid", "bigint", "int");
  private static final HexFormat HEX = HexFormat.of();

  // The range of version 1 UUIDs, and the second half of the first of those with equal times: its
  // bytes are compared as signed numbers.
  private static final Instant FIRST_OF_UUIDS = Instant.parse("1582-10-15T00:00:00Z");
  private static final Instant END_OF_UUIDS = Instant.parse("5236-01-01T00:00:00Z");
  private static final long LEAST_OF_A_TIME = 0x8080_8080_8080_8080L;

  private final CqlType type;
  private final byte[] value;
  private final boolean isDescending;
  private final ClusteringComparator order;
  private final Slice kept;

  private RetentionFloor(TableSchema schema, Column column, byte[] value) {
    if (value.length == 0) {
      throw new IllegalArgumentException(
          "column '" + column.name() + "': an empty value, allowed is a time");
    }
    this.type = column.type().unreversed();
    type.validate(value, 0, value.length);
    this.value = value;
    this.isDescending = column.isDescending();
    RowEncoding encoding = TableEncoding.of(schema).rows();
    this.order = new ClusteringComparator(encoding.header().clusteringTypes());
    List<byte[]> bound = List.of(value);
    this.kept =
        isDescending
            ? new Slice(
                Clustering.of(ClusteringKind.INCL_START_BOUND, encoding, List.of()),
                Clustering.of(ClusteringKind.INCL_END_BOUND, encoding, bound))
            : new Slice(
                Clustering.of(ClusteringKind.INCL_START_BOUND, encoding, bound),
                Clustering.of(ClusteringKind.INCL_END_BOUND, encoding, List.of()));
  }

  /**
   * Returns a floor of a table.
   *
   * @param value of the time column, of a class that its type takes, or its text in CQL; for a
   *     {@code timeuuid} also an {@code Instant}, as an object or as text in ISO 8601, which stands
   *     for the least UUID of that time
   * @throws IllegalArgumentException if the table has no time column, or the value is not of it
   */
  public static RetentionFloor of(TableSchema schema, Object value) {
    Column column = timeColumn(schema);
    byte[] encoded;
    try {
      encoded =
          value instanceof String text
              ? encodedText(column, text.strip())
              : column.type().encodeOrCopy(uuidOf(column, value));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("column '" + column.name() + "': " + e.getMessage(), e);
    }
    return new RetentionFloor(schema, column, encoded);
  }

  private static byte[] encodedText(Column column, String text) {
    if (column.type().unreversed().cqlName().equals("timeuuid") && text.endsWith("Z")) {
      try {
        return column.type().encodeOrCopy(uuidOf(column, Instant.parse(text)));
      } catch (DateTimeException e) {
        throw new IllegalArgumentException(
            "'" + text + "' is neither a UUID nor a time such as 2026-03-01T12:00:00Z", e);
      }
    }
    return column.type().parse(text);
  }

  private static Object uuidOf(Column column, Object value) {
    if (!(value instanceof Instant time) || !column.type().cqlName().equals("timeuuid")) {
      return value;
    }
    if (time.isBefore(FIRST_OF_UUIDS) || !time.isBefore(END_OF_UUIDS)) {
      throw new IllegalArgumentException(
          time + " is no time of a UUID, allowed " + FIRST_OF_UUIDS + " to " + END_OF_UUIDS);
    }
    return new UUID(TimeUuids.mostSignificantBits(TimeUuids.ticks(time)), LEAST_OF_A_TIME);
  }

  /** Returns the floor of a table that a {@linkplain #toString text} describes. */
  public static RetentionFloor parse(TableSchema schema, String text) {
    Column column = timeColumn(schema);
    return new RetentionFloor(schema, column, value(column.type(), text));
  }

  /**
   * Returns the value, decoded, of the floor that a {@linkplain #toString text} describes.
   *
   * @param type of the first clustering column
   * @throws IllegalArgumentException if the text is not of that type
   */
  public static Object parseValue(CqlType type, String text) {
    byte[] value = value(type, text);
    Object decoded = type.unreversed().decode(value, 0, value.length);
    if (decoded == null) {
      throw new IllegalArgumentException("'" + text + "' has no value");
    }
    return decoded;
  }

  private static byte[] value(CqlType type, String text) {
    String[] parts = text.split(" ", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("'" + text + "' has not the form 'type value'");
    }
    if (!parts[0].equals(type.unreversed().cqlName())) {
      throw new IllegalArgumentException(
          "the floor is of type "
              + parts[0]
              + ", the first clustering column of "
              + type.unreversed().cqlName());
    }
    return HEX.parseHex(parts[1]);
  }

  /**
   * Returns whether a table has a time column: a first clustering column of type {@code timestamp},
   * {@code date}, {@code timeuuid}, {@code bigint} or {@code int}.
   */
  public static boolean hasTimeColumn(TableSchema schema) {
    List<Column> columns = schema.clusteringColumns();
    return !columns.isEmpty() && TIMES.contains(columns.get(0).type().unreversed().cqlName());
  }

  private static Column timeColumn(TableSchema schema) {
    List<Column> columns = schema.clusteringColumns();
    String found =
        columns.isEmpty()
            ? "no clustering column"
            : "'" + columns.get(0).name() + "' of type " + columns.get(0).type().cqlName();
    if (!hasTimeColumn(schema)) {
      throw new IllegalArgumentException(
          schema.keyspace()
              + "."
              + schema.name()
              + " has no time column: its first clustering column has to be of type timestamp,"
              + " date, timeuuid, bigint or int, and the table has "
              + found);
    }
    return columns.get(0);
  }

  /** Returns the value of the time column, decoded. */
  public Object value() {
    Object decoded = type.decode(value, 0, value.length);
    if (decoded == null) {
      throw new IllegalStateException(this + " has no value");
    }
    return decoded;
  }

  /** Returns whether the time column is descending, so that hidden rows come last. */
  public boolean isDescending() {
    return isDescending;
  }

  /** Returns the slice of each partition that is shown. */
  public Slice kept() {
    return kept;
  }

  ClusteringComparator order() {
    return order;
  }

  /** Returns whether a row or marker at that place is hidden. The static row never is. */
  public boolean isHidden(Clustering place) {
    return isDescending
        ? order.compare(place, kept.end()) >= 0
        : order.compare(place, kept.start()) <= 0;
  }

  /** Returns a read of what is shown of the slices of another; the same if all of it is. */
  public Read.OfPartition cut(Read.OfPartition read) {
    List<Slice> slices = read.slices();
    if (slices.isEmpty() || isShown(slices)) {
      return read;
    }
    List<Slice> shown = new ArrayList<>(slices.size());
    for (Slice slice : slices) {
      Clustering start =
          order.compare(slice.start(), kept.start()) >= 0 ? slice.start() : kept.start();
      Clustering end = order.compare(slice.end(), kept.end()) <= 0 ? slice.end() : kept.end();
      if (order.compare(start, end) < 0) {
        shown.add(new Slice(start, end));
      }
    }
    return new Read.OfPartition(read.key(), shown, read.reversed());
  }

  private boolean isShown(List<Slice> slices) {
    return isDescending
        ? order.compare(slices.get(slices.size() - 1).end(), kept.end()) <= 0
        : order.compare(slices.get(0).start(), kept.start()) >= 0;
  }

  /** Compares times. The floors are of the same table. */
  @Override
  public int compareTo(RetentionFloor other) {
    return type.compare(value, 0, value.length, other.value, 0, other.value.length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RetentionFloor that
        && type.equals(that.type)
        && compareTo(that) == 0
        && isDescending == that.isDescending;
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  /** Returns the value as a CQL literal, for messages. */
  public String literal() {
    return type.toCqlLiteral(value, 0, value.length);
  }

  /** Returns the text that {@link #parse} reads: the type, and the value in hexadecimal. */
  @Override
  public String toString() {
    return type.cqlName() + " " + HEX.formatHex(value);
  }
}
