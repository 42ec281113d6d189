package io.siltstone.bench.workload;

import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.List;

/**
 * A workload profile: a table, how it is written and read, and what a read must return. Items are
 * numbered from 0, and each has versions, numbered from 1: to write an item is to write its next
 * version.
 *
 * <p>Immutable; safe for use by all threads.
 */
public sealed interface Profile permits SingleRows, TimeSeries, Updates, Deletes, RangeScan {
  /** The keyspace of the tables of all profiles. */
  String KEYSPACE = "stress";

  /** Returns the names of all profiles. */
  static List<String> names() {
    return List.of("KeyValue", "Wide", "TimeSeries", "Updates", "Deletes", "RangeScan");
  }

  /**
   * Returns a profile.
   *
   * @param name one of {@link #names}, in upper or lower case
   * @throws IllegalArgumentException if there is none with this name, or if an option does not
   *     apply to it
   */
  static Profile of(String name, ProfileOptions options) {
    return switch (names().stream().filter(name::equalsIgnoreCase).findAny().orElse("")) {
      case "KeyValue" -> SingleRows.keyValue(options);
      case "Wide" -> SingleRows.wide(options);
      case "TimeSeries" -> new TimeSeries(options);
      case "Updates" -> new Updates(options);
      case "Deletes" -> new Deletes(options);
      case "RangeScan" -> new RangeScan(options);
      default ->
          throw new IllegalArgumentException(
              "profile " + name + ", allowed " + String.join(", ", names()));
    };
  }

  /** Returns its name. */
  String name();

  /** Returns what it does, in some sentences. */
  String description();

  /** Returns the options, with the values that are used. */
  ProfileOptions options();

  /** Returns {@code CREATE TABLE} without options. */
  String cql();

  /** Returns the number of items. */
  long items();

  /**
   * Returns the number of versions of each item that populating writes, after which every row
   * exists.
   */
  int versionsToPopulate();

  /** Returns its table with options. */
  default TableSchema schema(TableOptions options) {
    return SchemaParser.parse(cql()).onlyTable().withOptions(options);
  }

  /** Returns its table in a database, created if missing. */
  default Table table(Database database, TableOptions options) throws IOException {
    TableSchema schema = schema(options);
    var found = database.findTable(schema.keyspace(), schema.name());
    return found.isPresent() ? found.get() : database.createTable(schema.toCql());
  }

  /**
   * Returns writes and reads for one thread.
   *
   * @param epochMicros beginning of the workload, later than everything written before
   */
  Operations operations(Table table, long epochMicros);
}
