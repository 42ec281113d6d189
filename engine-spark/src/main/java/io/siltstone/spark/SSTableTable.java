package io.siltstone.spark;

import io.siltstone.ring.TokenRing;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.read.SSTableScanBuilder;
import io.siltstone.spark.table.SourceOptions;
import io.siltstone.spark.table.SourceTable;
import io.siltstone.spark.table.TableReader;
import io.siltstone.spark.types.TableColumns;
import io.siltstone.spark.write.SSTableWriteBuilder;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of a data frame. Each scan lists the files anew, and takes the present time, by which
 * data has expired, once for all of its tasks. Immutable, safe for use by all threads.
 */
class SSTableTable implements SupportsRead, SupportsWrite, SupportsMetadataColumns {
  private static final Logger LOG = LoggerFactory.getLogger(SSTableTable.class);
  private static final int RANGES_IN_LOG = 10;

  private final StructType type;
  private final SourceOptions options;
  private final TableReader reader;
  private final InstantSource clock;

  /**
   * @param type the columns as the program or the table has them
   */
  SSTableTable(StructType type, SourceOptions options, TableReader reader, InstantSource clock) {
    this.type = type;
    this.options = options;
    this.reader = reader;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "sstable " + String.join(", ", options.paths());
  }

  @Override
  public Column[] columns() {
    return Stream.of(type.fields())
        .map(field -> Column.create(field.name(), field.dataType(), field.nullable()))
        .toArray(Column[]::new);
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(
        TableCapability.BATCH_READ,
        TableCapability.BATCH_WRITE,
        TableCapability.TRUNCATE,
        // Columns are checked by the write, whose messages say what to do.
        TableCapability.ACCEPT_ANY_SCHEMA);
  }

  /** Returns {@code writetime} and {@code ttl}, unless the table has only a primary key. */
  @Override
  public MetadataColumn[] metadataColumns() {
    Optional<TableSchema> schema = reader.presentDefinition();
    return schema.isEmpty() ? new MetadataColumn[0] : metadataColumns(schema.get());
  }

  private static MetadataColumn[] metadataColumns(TableSchema schema) {
    List<MetadataColumn> columns = new ArrayList<>();
    for (String name : List.of(TableColumns.WRITETIME, TableColumns.TTL)) {
      StructType times = TableColumns.timesType(schema, name);
      if (!times.isEmpty()) {
        columns.add(new TimesColumn(name, times));
      }
    }
    return columns.toArray(new MetadataColumn[0]);
  }

  private record TimesColumn(String name, DataType dataType) implements MetadataColumn {
    @Override
    public boolean isNullable() {
      return false;
    }
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap map) {
    SourceOptions query = options.with(map.asCaseSensitiveMap());
    TableReader of = reader.with(query);
    SourceTable table = of.table();
    reader.require(type, table.schema());
    warnOfUncovered(of.uncoveredRanges());
    long now = query.nowSeconds().orElse(clock.instant().getEpochSecond());
    return new SSTableScanBuilder(table, type, query, now);
  }

  private void warnOfUncovered(List<TokenRing.Range> ranges) {
    if (!ranges.isEmpty()) {
      LOG.warn(
          "{}: no directory covers {} token ranges, whose rows are missing unless another node has"
              + " them: {}{}; content=uncoveredRanges reads all of them",
          name(),
          ranges.size(),
          ranges.subList(0, Math.min(RANGES_IN_LOG, ranges.size())),
          ranges.size() > RANGES_IN_LOG ? " and others" : "");
    }
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    SourceOptions query = options.with(info.options().asCaseSensitiveMap());
    TableReader of = reader.with(query);
    return new SSTableWriteBuilder(
        query, of.definitionOf(info.schema()), of.storage(), of.ring(), info, clock.instant());
  }
}
