package io.siltstone.tools.dump;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Prints partitions as JSON, byte for byte like {@code sstabledump}.
 *
 * <p>Positions are those of the uncompressed data file; the position of a partition is that after
 * its static row, at which sstabledump's reader stands when it prints it. Confined to one thread.
 * Source: Cassandra {@code JsonTransformer}.
 */
final class JsonDump implements PartitionText {
  private static final long NOTHING_PASSED_OVER = -1;

  private final JsonGenerator json;
  private final DumpLayout objects = new DumpLayout();
  private final DumpLayout arrays = new DumpLayout();
  private final boolean lines;
  private final String tableKind;
  private final DumpTimes times;
  private final List<CqlType> clusteringTypes;
  private final PartitionKeyText keys;
  private final HeaderColumnNames names;

  /**
   * @param header of the file
   * @param tableKind kind of table, e.g. {@code REGULAR}
   * @param lines whether each partition is on its own line, without an array around them
   * @param out stays open
   */
  JsonDump(
      SerializationHeader header,
      String tableKind,
      DumpTimes times,
      boolean lines,
      OutputStream out)
      throws IOException {
    this.tableKind = tableKind;
    this.times = times;
    this.lines = lines;
    this.clusteringTypes = header.clusteringTypes();
    this.keys = new PartitionKeyText(header.keyType());
    this.names = new HeaderColumnNames(header.staticColumns(), header.regularColumns());
    this.json = JsonDocument.generator(out);
    if (lines) {
      MinimalPrettyPrinter printer = new MinimalPrettyPrinter();
      printer.setRootValueSeparator("\n");
      json.setPrettyPrinter(printer);
    } else {
      DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
      printer.indentObjectsWith(objects);
      printer.indentArraysWith(arrays);
      json.setPrettyPrinter(printer);
    }
  }

  @Override
  public void begin() throws IOException {
    if (!lines) {
      json.writeStartArray();
    }
  }

  @Override
  public void end() throws IOException {
    if (!lines) {
      json.writeEndArray();
    }
    json.flush();
  }

  /** Flushes what was printed so far, even if brackets are open. */
  void flush() throws IOException {
    json.flush();
  }

  @Override
  public void partition(DataCursor cursor) throws IOException {
    boolean hasStatic = cursor.nextStatic();
    json.writeStartObject();
    json.writeStringField("table kind", tableKind);
    json.writeFieldName("partition");
    json.writeStartObject();
    json.writeFieldName("key");
    try {
      key(cursor.key());
    } catch (IllegalArgumentException e) {
      throw cursor.corrupt(0, "partition " + cursor.key() + ": " + e.getMessage());
    }
    json.writeNumberField("position", cursor.position());
    if (!DeletionTime.isLive(cursor.deletionTimestamp())) {
      deletion(cursor.deletionTimestamp(), cursor.deletionLocalTime());
    }
    json.writeEndObject();
    json.writeFieldName("rows");
    json.writeStartArray();
    if (hasStatic && !cursor.unfiltered().isWithoutContent()) {
      row(cursor, cursor.position());
    }
    long passedOverFrom = NOTHING_PASSED_OVER;
    while (cursor.nextUnfiltered()) {
      long position =
          passedOverFrom == NOTHING_PASSED_OVER ? cursor.unfilteredPosition() : passedOverFrom;
      passedOverFrom = NOTHING_PASSED_OVER;
      if (cursor.unfiltered().isMarker()) {
        marker(cursor);
      } else if (cursor.unfiltered().isWithoutContent()) {
        // Cassandra does not show this row, and uses its position for the next one.
        passedOverFrom = position;
      } else {
        row(cursor, position);
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Prints a key as an array of the texts of its columns. */
  void key(PartitionKey key) throws IOException {
    List<String> columns = keys.columns(key);
    objects.setCompact(true);
    arrays.setCompact(true);
    json.writeStartArray();
    for (String column : columns) {
      json.writeString(column);
    }
    json.writeEndArray();
    objects.setCompact(false);
    arrays.setCompact(false);
  }

  private void row(DataCursor cursor, long position) throws IOException {
    Unfiltered row = cursor.unfiltered();
    json.writeStartObject();
    json.writeStringField("type", row.isStatic() ? "static_block" : "row");
    json.writeNumberField("position", position);
    if (!row.isStatic()) {
      clustering(cursor, row.clustering());
    }
    if (row.hasLiveness()) {
      liveness(row);
    }
    if (row.hasDeletion()) {
      deletion(row.deletionTimestamp(), row.deletionLocalTime());
    }
    json.writeFieldName("cells");
    json.writeStartArray();
    while (row.nextColumn()) {
      column(cursor, row);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void liveness(Unfiltered row) throws IOException {
    json.writeFieldName("liveness_info");
    objects.setCompact(true);
    json.writeStartObject();
    json.writeStringField("tstamp", times.micros(row.livenessTimestamp()));
    if (row.livenessTtl() != DeletionTime.NO_TTL) {
      json.writeNumberField("ttl", row.livenessTtl());
      json.writeStringField("expires_at", times.seconds(row.livenessExpirationTime()));
      json.writeBooleanField("expired", row.livenessExpirationTime() < times.nowSeconds());
    }
    json.writeEndObject();
    objects.setCompact(false);
  }

  private void marker(DataCursor cursor) throws IOException {
    Unfiltered marker = cursor.unfiltered();
    ClusteringKind kind = marker.clustering().kind();
    json.writeStartObject();
    json.writeFieldName("type");
    json.writeString(kind.isBoundary() ? "range_tombstone_boundary" : "range_tombstone_bound");
    if (kind.opens()) {
      boolean inclusive =
          kind == ClusteringKind.INCL_START_BOUND
              || kind == ClusteringKind.EXCL_END_INCL_START_BOUNDARY;
      bound(cursor, "start", inclusive, marker.openTimestamp(), marker.openLocalTime());
    }
    if (kind.closes()) {
      boolean inclusive =
          kind == ClusteringKind.INCL_END_BOUND
              || kind == ClusteringKind.INCL_END_EXCL_START_BOUNDARY;
      bound(cursor, "end", inclusive, marker.deletionTimestamp(), marker.deletionLocalTime());
    }
    json.writeEndObject();
    objects.setCompact(false);
  }

  private void bound(
      DataCursor cursor, String name, boolean inclusive, long timestamp, long localDeletionTime)
      throws IOException {
    json.writeFieldName(name);
    json.writeStartObject();
    json.writeStringField("type", inclusive ? "inclusive" : "exclusive");
    clustering(cursor, cursor.unfiltered().clustering());
    deletion(timestamp, localDeletionTime);
    json.writeEndObject();
  }

  private void clustering(DataCursor cursor, Clustering clustering) throws IOException {
    if (clustering.size() == 0) {
      return;
    }
    json.writeFieldName("clustering");
    objects.setCompact(true);
    // The opening bracket of the array is not indented, only its values are.
    json.writeStartArray();
    arrays.setCompact(true);
    for (int i = 0; i < clusteringTypes.size(); i++) {
      if (i >= clustering.size()) {
        json.writeString("*");
      } else if (clustering.valueLength(i) == Clustering.NULL) {
        json.writeNull();
      } else {
        value(cursor, clusteringTypes.get(i), clustering.valueOffset(i), clustering.valueLength(i));
      }
    }
    json.writeEndArray();
    objects.setCompact(false);
    arrays.setCompact(false);
  }

  private void deletion(long timestamp, long localDeletionTime) throws IOException {
    json.writeFieldName("deletion_info");
    objects.setCompact(true);
    json.writeStartObject();
    json.writeStringField("marked_deleted", times.micros(timestamp));
    json.writeStringField("local_delete_time", times.seconds(localDeletionTime));
    json.writeEndObject();
    objects.setCompact(false);
  }

  private void column(DataCursor cursor, Unfiltered row) throws IOException {
    String name = names.of(row.isStatic(), row.columnIndex());
    if (row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp())) {
      objects.setCompact(true);
      json.writeStartObject();
      json.writeStringField("name", name);
      deletion(row.complexDeletionTimestamp(), row.complexDeletionLocalTime());
      objects.setCompact(true);
      json.writeEndObject();
      objects.setCompact(false);
    }
    while (row.nextCell()) {
      cell(cursor, row, name);
    }
  }

  private void cell(DataCursor cursor, Unfiltered row, String name) throws IOException {
    CqlType type = row.column().type();
    json.writeStartObject();
    objects.setCompact(true);
    json.writeStringField("name", name);
    if (row.isComplex()) {
      json.writeFieldName("path");
      arrays.setCompact(true);
      json.writeStartArray();
      json.writeString(path(cursor, type, row));
      json.writeEndArray();
      arrays.setCompact(false);
    }
    if (row.isCellTombstone()) {
      json.writeFieldName("deletion_info");
      objects.setCompact(true);
      json.writeStartObject();
      json.writeStringField("local_delete_time", times.seconds(row.cellLocalDeletionTime()));
      json.writeEndObject();
      objects.setCompact(false);
    } else {
      json.writeFieldName("value");
      value(cursor, cellType(cursor, type, row), row.valueOffset(), row.valueLength());
    }
    if (!row.hasLiveness() || row.cellTimestamp() != row.livenessTimestamp()) {
      json.writeStringField("tstamp", times.micros(row.cellTimestamp()));
    }
    if (row.isCellExpiring() && (!row.hasLiveness() || row.cellTtl() != row.livenessTtl())) {
      json.writeNumberField("ttl", row.cellTtl());
      json.writeStringField("expires_at", times.seconds(row.cellLocalDeletionTime()));
      json.writeBooleanField("expired", row.cellLocalDeletionTime() <= times.nowSeconds());
    }
    json.writeEndObject();
    objects.setCompact(false);
  }

  /**
   * Returns the text of a cell's path: that of the element's key, or the name of a user-defined
   * type's field.
   */
  private static String path(DataCursor cursor, CqlType type, Unfiltered row) throws IOException {
    byte[] bytes = row.bytes();
    try {
      if (type.kind() != TypeKind.USER) {
        return type.pathType().format(bytes, row.pathOffset(), row.pathLength());
      }
      Object field = type.pathType().decode(bytes, row.pathOffset(), row.pathLength());
      List<UserType.Field> fields = ((UserType) type).fields();
      int index = field instanceof Number number ? number.intValue() : -1;
      if (index < 0 || index >= fields.size()) {
        throw new IllegalArgumentException(
            "field " + field + " of a user type that has " + fields.size());
      }
      return fields.get(index).name();
    } catch (IllegalArgumentException e) {
      throw cursor.corrupt(row.pathOffset(), "path of a cell: " + e.getMessage());
    }
  }

  private static CqlType cellType(DataCursor cursor, CqlType type, Unfiltered row)
      throws IOException {
    if (!row.isComplex()) {
      return type;
    }
    try {
      return type.cellType(row.bytes(), row.pathOffset(), row.pathLength());
    } catch (IllegalArgumentException e) {
      throw cursor.corrupt(row.pathOffset(), "path of a cell: " + e.getMessage());
    }
  }

  private void value(DataCursor cursor, CqlType type, int offset, int length) throws IOException {
    String text;
    try {
      text = type.toJson(cursor.unfiltered().bytes(), offset, length);
    } catch (IllegalArgumentException e) {
      throw cursor.corrupt(offset, "a value of type " + type + ": " + e.getMessage());
    }
    json.writeRawValue(text);
  }
}
