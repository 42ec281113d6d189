package io.siltstone;

import io.siltstone.keyvalue.KeyValueTable;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Schema;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens or creates the table of a {@link KeyValueStore} that has a database of its own. */
final class KeyValueOpening {
  private KeyValueOpening() {}

  /** Returns the options of the database, with the partitioner that a store needs. */
  static DatabaseOptions ordered(DatabaseOptions options) {
    Partitioner given = options.partitioner();
    if (given != null && given != Partitioner.BYTE_ORDERED) {
      throw new IllegalArgumentException(
          "partitioner " + given + " for a key-value store, allowed " + Partitioner.BYTE_ORDERED);
    }
    return options.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();
  }

  /**
   * Returns the table, which is created if it is missing.
   *
   * @param options of the table; null for its present ones, or the defaults
   */
  static Table openTable(Database database, @Nullable TableOptions options) throws IOException {
    Table present = database.findTable(KeyValueStore.KEYSPACE, KeyValueStore.TABLE).orElse(null);
    if (present == null) {
      if (database.isReadOnly()) {
        throw new IOException(
            database
                + " has no table "
                + KeyValueStore.KEYSPACE
                + "."
                + KeyValueStore.TABLE
                + ", and none can be created, as it is opened for reading only");
      }
      TableOptions made =
          options == null ? KeyValueStore.DEFAULT_TABLE_OPTIONS : withGrace(options, 0);
      return database.createTable(
          KeyValueTable.schema(KeyValueStore.KEYSPACE, KeyValueStore.TABLE, made).toCql());
    }
    if (options == null || database.isReadOnly()) {
      return present;
    }
    TableOptions before = present.schema().options();
    TableOptions altered = withGrace(options, before.gcGraceSeconds());
    return altered.equals(before)
        ? present
        : database.alterTable(
            KeyValueStore.KEYSPACE, KeyValueStore.TABLE, schema -> schema.withOptions(altered));
  }

  /** Creates the tables of stores that are missing in an open database. */
  static void createTables(
      Database database, String keyspace, Collection<String> names, TableOptions options)
      throws IOException {
    if (database.partitioner() != Partitioner.BYTE_ORDERED) {
      throw new IllegalArgumentException(
          database
              + " has the partitioner "
              + database.partitioner()
              + ", key-value stores need "
              + Partitioner.BYTE_ORDERED);
    }
    TableOptions made = withGrace(options, 0);
    List<TableSchema> tables =
        names.stream().map(name -> KeyValueTable.schema(keyspace, name, made)).toList();
    Schema missing = new Schema(tables, tables, List.of(), List.of());
    var unused = database.engine().inside(() -> database.definitions().create(missing));
  }

  /**
   * Replaces a {@code gc_grace_seconds} that is the default of tables, which counts as not given.
   */
  private static TableOptions withGrace(TableOptions options, int seconds) {
    return options.gcGraceSeconds() == TableOptions.DEFAULT_GC_GRACE_SECONDS
        ? options.toBuilder().gcGraceSeconds(seconds).build()
        : options;
  }
}
