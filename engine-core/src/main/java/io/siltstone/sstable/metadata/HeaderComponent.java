package io.siltstone.sstable.metadata;

import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The serialization header as a component of {@code Statistics.db}.
 *
 * <pre>
 *   min timestamp       vint   less 2015-09-22 in microseconds
 *   min deletion time   vint   less 2015-09-22 in seconds
 *   min TTL             vint
 *   key type            name of a type
 *   clustering types    vint count, then the names
 *   static columns      vint count, then of each its name and its type's
 *   regular columns     likewise
 * </pre>
 *
 * Names are UTF-8 after a vint of their length. Source: Cassandra {@code
 * SerializationHeader.Serializer}.
 */
final class HeaderComponent {
  private HeaderComponent() {}

  static SerializationHeader read(MetadataInput in) throws IOException {
    EncodingStats stats =
        new EncodingStats(
            in.vint() + EncodingStats.TIMESTAMP_EPOCH,
            // The difference has 32 bits, as in Cassandra: a time after 2038 becomes a negative
            // one.
            in.vint32() + (int) EncodingStats.DELETION_TIME_EPOCH,
            in.vint32() + EncodingStats.TTL_EPOCH);
    CqlType keyType = in.type();
    List<CqlType> clusteringTypes = in.types();
    List<HeaderColumn> statics = readColumns(in);
    return new SerializationHeader(keyType, clusteringTypes, statics, readColumns(in), stats);
  }

  private static List<HeaderColumn> readColumns(MetadataInput in) throws IOException {
    int count = in.count(in.vint(), 2, "columns");
    List<HeaderColumn> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count; i++) {
      int start = in.offset();
      String name = in.utf8();
      if (!names.add(name)) {
        throw in.corrupt(start, "column '" + name + "' for the second time");
      }
      columns.add(new HeaderColumn(name, in.type()));
    }
    columns.sort(HeaderColumn.CELL_ORDER);
    return columns;
  }

  static void write(SerializationHeader header, MetadataOutput out) {
    EncodingStats stats = header.stats();
    long minLocalDeletionTime = stats.minLocalDeletionTime();
    if (minLocalDeletionTime != (int) minLocalDeletionTime) {
      throw new IllegalArgumentException(
          "least local deletion time "
              + minLocalDeletionTime
              + ", allowed "
              + Integer.MIN_VALUE
              + " to "
              + Integer.MAX_VALUE);
    }
    out.vint(stats.minTimestamp() - EncodingStats.TIMESTAMP_EPOCH);
    int base = (int) (minLocalDeletionTime - EncodingStats.DELETION_TIME_EPOCH);
    out.vint(base);
    out.vint(stats.minTtl() - EncodingStats.TTL_EPOCH);
    out.type(header.keyType());
    out.types(header.clusteringTypes());
    writeColumns(header.staticColumns(), out);
    writeColumns(header.regularColumns(), out);
  }

  private static void writeColumns(List<HeaderColumn> columns, MetadataOutput out) {
    out.vint(columns.size());
    for (HeaderColumn column : columns) {
      out.utf8(column.name());
      out.type(column.type());
    }
  }
}
