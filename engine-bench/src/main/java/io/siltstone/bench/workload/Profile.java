package io.siltstone.bench.workload;

import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.List;

/**
 * A table, how it is written and read, and what a read must find. A load asks for items, numbered
 * from 0, each of which has versions, numbered from 1: to write an item is to write its next
 * version.
 *
 * <p>Immutable; safe for all threads.
 */
public sealed interface Profile permits SingleRows, TimeSeries, Updates, Deletes, RangeScan {
  /** Keyspace of the tables of all profiles. */
  String KEYSPACE = "stress";

  /** The names of all profiles. */
  static List<String> names() {
    return List.of("KeyValue", "Wide", "TimeSeries", "Updates", "Deletes", "RangeScan");
  }

  /**
   * A profile.
   *
   * @param name one of {@link #names}, in any case
   * @throws IllegalArgumentException if there is none of this name, or an option is not for it
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

  /** Its name. */
  String name();

  /** What it does, in some sentences. */
  String description();

  /** The options, each with the value that holds. */
  ProfileOptions options();

  /** {@code CREATE TABLE} without options. */
  String cql();

  /** How many items a load asks for. */
  long items();

  /** Versions of each item that populating writes: then every row is there. */
  int versionsToPopulate();

  /** Its table with options. */
  default TableSchema schema(TableOptions options) {
    return SchemaParser.parse(cql()).onlyTable().withOptions(options);
  }

  /** Its table of a database, made if it is missing. */
  default Table table(Database database, TableOptions options) throws IOException {
    TableSchema schema = schema(options);
    var found = database.findTable(schema.keyspace(), schema.name());
    return found.isPresent() ? found.get() : database.createTable(schema.toCql());
  }

  /**
   * Begins to write and read, for one thread.
   *
   * @param epochMicros when the load began, later than all that was written before
   */
  Operations operations(Table table, long epochMicros);
}
