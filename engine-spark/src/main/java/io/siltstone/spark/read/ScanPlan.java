package io.siltstone.spark.read;

import io.siltstone.OfflineTable;
import io.siltstone.rows.Query;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.ListedDirectory;
import io.siltstone.spark.files.ListedFile;
import io.siltstone.spark.files.ListedSSTable;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.table.SourceTable;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The settings that all tasks of a scan have in common. They are sent to executors once per stage.
 * Immutable.
 *
 * @param files how files are opened
 * @param selection what is read
 * @param settings how it is read
 */
record ScanPlan(ScanPlan.Files files, ScanPlan.Selection selection, ScanPlan.Settings settings)
    implements Serializable {

  /**
   * The files of a table.
   *
   * @param storage opens them
   * @param path for messages
   * @param others that delete rows beside the SSTables
   * @param definition of the table in CQL
   */
  record Files(Storage storage, String path, List<ListedFile> others, String definition)
      implements Serializable {}

  /**
   * The columns and rows that are read.
   *
   * @param type the columns, with metadata columns
   * @param rows ranges of rows of each partition; empty for all
   * @param arePoints whether single partitions are read
   * @param limit the maximum number of rows that are needed; {@link Query#NO_LIMIT} for all
   */
  record Selection(StructType type, List<RowRange> rows, boolean arePoints, long limit)
      implements Serializable {}

  /**
   * The way in which they are read.
   *
   * @param nowSeconds by which data has expired, in seconds since 1970
   * @param areNumbersText whether varint and decimal are strings
   * @param batchRows the maximum number of rows of a batch
   * @param skipsDamage whether SSTables that are damaged are skipped
   */
  record Settings(long nowSeconds, boolean areNumbersText, int batchRows, boolean skipsDamage)
      implements Serializable {}

  /** Returns the definition of the table. */
  TableSchema schema() {
    return SchemaParser.parseLeniently(files.definition).onlyTable();
  }

  /** Returns the directory of some of the table's SSTables. */
  ListedDirectory directory(List<ListedSSTable> sstables) {
    return SourceTable.directory(
        files.storage, files.path, sstables, files.others, selection.arePoints);
  }

  /** Returns the query of a part. */
  Query query(OfflineTable table, ReadPart part, long limit) {
    Query.Builder query = table.query().nowSeconds(settings.nowSeconds);
    part.restrict(query);
    if (!selection.rows.isEmpty()) {
      selection.rows.forEach(range -> query.rows(range.range()));
    }
    if (limit != Query.NO_LIMIT) {
      query.limit(limit);
    }
    return query.select(selected(table.schema())).build();
  }

  /** Returns the columns whose values or times are read, except those of the primary key. */
  private String[] selected(TableSchema schema) {
    List<String> names = new ArrayList<>();
    for (StructField field : selection.type.fields()) {
      if (schema.column(field.name()).isPresent()) {
        names.add(field.name());
      } else if (field.dataType() instanceof StructType times) {
        names.addAll(List.of(times.fieldNames()));
      }
    }
    return names.stream().distinct().toArray(String[]::new);
  }
}
