package io.siltstone.cursor;

import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import java.util.List;

/**
 * The encoding of rows: a serialization header prepared for the hot path, with lengths and kinds of
 * columns in arrays and delta bases in fields.
 *
 * <p>Immutable, safe for all threads.
 */
public final class RowEncoding {
  private final SerializationHeader header;
  private final boolean unsignedDeletionTimes;
  private final int[] clusteringLengths;
  private final Columns staticColumns;
  private final Columns regularColumns;

  /**
   * @param unsignedDeletionTimes whether local deletion times are unsigned 32-bit numbers (from
   *     version {@code oa} on), so that those beyond 2038 are valid
   */
  public RowEncoding(SerializationHeader header, boolean unsignedDeletionTimes) {
    this.header = header;
    this.unsignedDeletionTimes = unsignedDeletionTimes;
    this.clusteringLengths =
        header.clusteringTypes().stream().mapToInt(CqlType::fixedLength).toArray();
    this.staticColumns = new Columns(header.staticColumns());
    this.regularColumns = new Columns(header.regularColumns());
  }

  /**
   * Returns the encoding of the rows of a table, from its present schema.
   *
   * @param stats delta bases
   * @param unsignedDeletionTimes see {@link #RowEncoding}
   */
  public static RowEncoding of(
      TableSchema schema, EncodingStats stats, boolean unsignedDeletionTimes) {
    return new RowEncoding(
        new SerializationHeader(
            schema.keyType(),
            schema.clusteringTypes(),
            headerColumns(schema.staticColumns()),
            headerColumns(schema.regularColumns()),
            stats),
        unsignedDeletionTimes);
  }

  private static List<HeaderColumn> headerColumns(List<Column> columns) {
    return columns.stream()
        .map(column -> new HeaderColumn(column.name(), column.type()))
        .sorted(HeaderColumn.CELL_ORDER)
        .toList();
  }

  /** Returns the header that it was created from. */
  public SerializationHeader header() {
    return header;
  }

  /** Returns whether rows of the other encoding can be copied to this one as they are. */
  public boolean isSameAs(RowEncoding other) {
    return this == other
        || (unsignedDeletionTimes == other.unsignedDeletionTimes && header.equals(other.header));
  }

  /** Returns the latest local deletion time, in seconds since 1970, that its rows can have. */
  public long latestDeletionTime() {
    return unsignedDeletionTimes
        ? DeletionTime.MAX_DELETION_TIME
        : DeletionTime.MAX_SIGNED_DELETION_TIME;
  }

  /**
   * Rejects a local deletion time that the format version cannot hold.
   *
   * @throws UnwritableException if it is later than {@link #latestDeletionTime()}
   */
  void checkDeletionTime(long localDeletionTime) {
    if (localDeletionTime > latestDeletionTime()
        && localDeletionTime != DeletionTime.NO_DELETION_TIME) {
      throw new UnwritableException(
          "local deletion time "
              + localDeletionTime
              + " cannot be written, the latest this format version holds is "
              + latestDeletionTime());
    }
  }

  int clusteringColumns() {
    return clusteringLengths.length;
  }

  int clusteringLength(int index) {
    return clusteringLengths[index];
  }

  Columns columns(boolean isStatic) {
    return isStatic ? staticColumns : regularColumns;
  }

  /** Returns whether local deletion times are unsigned 32-bit numbers. */
  public boolean hasUnsignedDeletionTimes() {
    return unsignedDeletionTimes;
  }

  long minTimestamp() {
    return header.stats().minTimestamp();
  }

  long minLocalDeletionTime() {
    return header.stats().minLocalDeletionTime();
  }

  int minTtl() {
    return header.stats().minTtl();
  }

  /** The columns of one kind of row. */
  static final class Columns {
    final int count;
    final int[] cellLengths;
    final boolean[] complex;
    final boolean hasComplex;

    private Columns(List<HeaderColumn> columns) {
      count = columns.size();
      cellLengths = new int[count];
      complex = new boolean[count];
      boolean anyComplex = false;
      for (int i = 0; i < count; i++) {
        CqlType type = columns.get(i).type();
        complex[i] = type.isMultiCell();
        anyComplex |= complex[i];
        // Cells of a complex column are written with the column's type, whose length is never
        // fixed.
        cellLengths[i] = complex[i] ? CqlType.VARIABLE_LENGTH : type.fixedLength();
      }
      hasComplex = anyComplex;
    }
  }
}
