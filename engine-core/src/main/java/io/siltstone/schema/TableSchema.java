package io.siltstone.schema;

import io.siltstone.type.CqlName;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a table, as in {@code CREATE TABLE}: columns, user types, options. Immutable,
 * safe for use by any number of threads. Created by {@link #builder} or {@link SchemaParser}.
 * Source: Cassandra {@code TableMetadata}.
 */
public final class TableSchema {
  private final String keyspace;
  private final String name;
  private final @Nullable UUID id;
  private final List<Column> partitionKeyColumns;
  private final List<Column> clusteringColumns;
  private final List<Column> staticColumns;
  private final List<Column> regularColumns;
  private final List<DroppedColumn> droppedColumns;
  private final List<UserType> userTypes;
  private final TableOptions options;
  private final Map<String, Column> byName;
  private final Map<String, DroppedColumn> droppedByName;
  private final CqlType keyType;
  private final List<CqlType> clusteringTypes;

  private TableSchema(Builder builder, List<UserType> userTypes) {
    this.keyspace = builder.keyspace;
    this.name = builder.name;
    this.id = builder.id;
    this.partitionKeyColumns = builder.ofKind(ColumnKind.PARTITION_KEY);
    this.clusteringColumns = builder.ofKind(ColumnKind.CLUSTERING);
    this.staticColumns = builder.ofKind(ColumnKind.STATIC);
    this.regularColumns = builder.ofKind(ColumnKind.REGULAR);
    this.droppedColumns = List.copyOf(builder.dropped.values());
    this.userTypes = List.copyOf(userTypes);
    this.options = builder.options;
    this.byName = Map.copyOf(builder.columns);
    this.droppedByName = Map.copyOf(builder.dropped);
    List<CqlType> keyTypes = partitionKeyColumns.stream().map(Column::type).toList();
    this.keyType = keyTypes.size() == 1 ? keyTypes.get(0) : CqlTypes.composite(keyTypes);
    this.clusteringTypes = clusteringColumns.stream().map(Column::type).toList();
  }

  /** Returns a builder of a table, without columns at first. */
  public static Builder builder(String keyspace, String name) {
    return new Builder(keyspace, name);
  }

  /** Returns a builder that starts with this definition. */
  public Builder toBuilder() {
    return toBuilder(keyspace, name);
  }

  /** Returns a builder of a table of another name that starts with this definition. */
  public Builder toBuilder(String newKeyspace, String newName) {
    Builder builder = new Builder(newKeyspace, newName);
    builder.id = id;
    Stream.of(partitionKeyColumns, clusteringColumns, staticColumns, regularColumns)
        .flatMap(List::stream)
        .forEach(builder::add);
    droppedColumns.forEach(builder::drop);
    builder.userTypes.addAll(userTypes);
    builder.options = options;
    return builder;
  }

  /** Returns the keyspace's name, without quotes. */
  public String keyspace() {
    return keyspace;
  }

  /** Returns the table's name, without quotes. */
  public String name() {
    return name;
  }

  /**
   * Returns the keyspace and name for use in CQL: joined by a dot, each in double quotes if needed.
   */
  public String cqlName() {
    return SchemaFormatter.name(keyspace, name);
  }

  /**
   * Returns the table's id, which distinguishes it from earlier tables of the same name; empty if
   * none was given.
   */
  public Optional<UUID> id() {
    return Optional.ofNullable(id);
  }

  /** Returns the columns of the partition key, in order; at least one. */
  public List<Column> partitionKeyColumns() {
    return partitionKeyColumns;
  }

  /** Returns the clustering columns, in order. */
  public List<Column> clusteringColumns() {
    return clusteringColumns;
  }

  /** Returns the static columns, in the order of {@link Column#CELL_ORDER}. */
  public List<Column> staticColumns() {
    return staticColumns;
  }

  /** Returns the regular columns, in the order of {@link Column#CELL_ORDER}. */
  public List<Column> regularColumns() {
    return regularColumns;
  }

  /**
   * Returns the dropped columns, ordered by the bytes of their names. A column of the same name may
   * have been added since.
   */
  public List<DroppedColumn> droppedColumns() {
    return droppedColumns;
  }

  /**
   * Returns the definitions of all user types that are used, not frozen, each after those that it
   * uses.
   */
  public List<UserType> userTypes() {
    return userTypes;
  }

  /** Returns the options of the table. */
  public TableOptions options() {
    return options;
  }

  /** Returns the column with this name, without quotes. */
  public Optional<Column> column(String columnName) {
    return Optional.ofNullable(byName.get(columnName));
  }

  /** Returns the column of this name that was dropped, whether it was added again or not. */
  public Optional<DroppedColumn> droppedColumn(String columnName) {
    return Optional.ofNullable(droppedByName.get(columnName));
  }

  /** Returns the type of the partition key: that of its column, or a composite of several. */
  public CqlType keyType() {
    return keyType;
  }

  /** Returns the types of the clustering columns; descending columns have reversed types. */
  public List<CqlType> clusteringTypes() {
    return clusteringTypes;
  }

  /** Returns whether partitions have a static row. */
  public boolean hasStatic() {
    return !staticColumns.isEmpty();
  }

  /** Returns whether all static and regular columns are counters. */
  public boolean isCounter() {
    return Stream.concat(staticColumns.stream(), regularColumns.stream())
            .anyMatch(column -> column.type().isCounter())
        || droppedColumns.stream().anyMatch(dropped -> dropped.column().type().isCounter());
  }

  /** Returns a copy with other options. */
  public TableSchema withOptions(TableOptions other) {
    return toBuilder().options(other).build();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    return other instanceof TableSchema that
        && keyspace.equals(that.keyspace)
        && name.equals(that.name)
        && Objects.equals(id, that.id)
        && byName.equals(that.byName)
        && droppedColumns.equals(that.droppedColumns)
        && userTypes.equals(that.userTypes)
        && options.equals(that.options);
  }

  @Override
  public int hashCode() {
    return Objects.hash(keyspace, name, id, byName);
  }

  /** Returns the {@code CREATE TABLE} text, user types before it. */
  @Override
  public String toString() {
    return SchemaFormatter.format(this);
  }

  /**
   * Builds a table. Columns of the primary key are added in the order of the key; the order of
   * others does not matter. Not safe for several threads.
   */
  public static final class Builder {
    private final String keyspace;
    private final String name;
    private final Map<String, Column> columns = new HashMap<>();
    private final Map<String, DroppedColumn> dropped = new TreeMap<>(Names.BY_BYTES);
    private final List<UserType> userTypes = new ArrayList<>();
    private @Nullable UUID id;
    private TableOptions options = TableOptions.DEFAULT;

    private Builder(String keyspace, String name) {
      this.keyspace = Objects.requireNonNull(keyspace, "keyspace");
      this.name = Objects.requireNonNull(name, "name");
    }

    /** Returns the id that distinguishes this table from earlier ones of the same name. */
    public Builder id(UUID value) {
      id = Objects.requireNonNull(value, "id");
      return this;
    }

    /**
     * Adds the next column of the partition key.
     *
     * @throws SchemaException if there is a column of this name
     */
    public Builder partitionKey(String columnName, CqlType type) {
      return add(columnName, type, ColumnKind.PARTITION_KEY);
    }

    /**
     * Adds the next clustering column, ascending unless the type is reversed.
     *
     * @throws SchemaException if there is a column of this name
     */
    public Builder clustering(String columnName, CqlType type) {
      return add(columnName, type, ColumnKind.CLUSTERING);
    }

    /**
     * Adds a static column.
     *
     * @throws SchemaException if there is a column of this name
     */
    public Builder staticColumn(String columnName, CqlType type) {
      return add(columnName, type, ColumnKind.STATIC);
    }

    /**
     * Adds a regular column.
     *
     * @throws SchemaException if there is a column of this name
     */
    public Builder regular(String columnName, CqlType type) {
      return add(columnName, type, ColumnKind.REGULAR);
    }

    private Builder add(String columnName, CqlType type, ColumnKind kind) {
      boolean key = kind == ColumnKind.PARTITION_KEY || kind == ColumnKind.CLUSTERING;
      int position =
          key ? (int) columns.values().stream().filter(c -> c.kind() == kind).count() : -1;
      return add(new Column(columnName, type, kind, position));
    }

    private Builder add(Column column) {
      if (columns.putIfAbsent(column.name(), column) != null) {
        throw new SchemaException(
            "Multiple definition of identifier " + CqlName.quoted(column.name()));
      }
      return this;
    }

    /** Adds a dropped column. A later drop of the same name replaces it. */
    public Builder drop(DroppedColumn column) {
      dropped.put(column.column().name(), column);
      return this;
    }

    /**
     * Drops a column.
     *
     * @param atMicros cells with this timestamp or an earlier one are gone
     * @throws SchemaException if there is no such column, or it cannot be dropped
     */
    public Builder drop(String columnName, long atMicros) {
      Column column = columns.get(columnName);
      if (column == null) {
        throw new SchemaException(
            "Column " + CqlName.quoted(columnName) + " was not found in table " + tableName());
      }
      drop(new DroppedColumn(column, atMicros));
      columns.remove(columnName);
      return this;
    }

    /**
     * Sets the definition of a user type, which keeps the information which of its fields are
     * frozen. Other user types are taken from the columns; unused ones are left out.
     */
    public Builder userType(UserType type) {
      userTypes.add(type);
      return this;
    }

    /** Sets all options. */
    public Builder options(TableOptions value) {
      options = Objects.requireNonNull(value, "options");
      return this;
    }

    boolean hasColumn(String columnName) {
      return columns.containsKey(columnName);
    }

    TableOptions options() {
      return options;
    }

    private String tableName() {
      return SchemaFormatter.name(keyspace, name);
    }

    private List<Column> ofKind(ColumnKind kind) {
      boolean key = kind == ColumnKind.PARTITION_KEY || kind == ColumnKind.CLUSTERING;
      return columns.values().stream()
          .filter(column -> column.kind() == kind)
          .sorted(key ? Comparator.comparingInt(Column::position) : Column.CELL_ORDER)
          .toList();
    }

    /**
     * Checks the table by Cassandra's rules.
     *
     * @throws SchemaException saying which is broken
     */
    public TableSchema build() {
      require(Names.wordProblem("keyspace", keyspace, Names.MAX_KEYSPACE_LENGTH));
      require(Names.wordProblem("table", name, Names.MAX_TABLE_LENGTH));
      if (ofKind(ColumnKind.PARTITION_KEY).isEmpty()) {
        throw new SchemaException("No PRIMARY KEY specified for table " + tableName());
      }
      UserTypes types = new UserTypes(keyspace, userTypes);
      // In the order of names, so that of several errors always the same one is reported.
      columns.values().stream()
          .sorted(Comparator.comparing(Column::name, Names.BY_BYTES))
          .forEach(column -> check(column, types));
      dropped.values().forEach(column -> check(column.column(), types));
      checkStatic();
      checkCounters();
      dropped.values().forEach(this::checkAddedAgain);
      return new TableSchema(this, types.inOrder());
    }

    private static void require(@Nullable String problem) {
      if (problem != null) {
        throw new SchemaException(problem);
      }
    }

    private static void check(Column column, UserTypes types) {
      require(Names.problem("column name", column.name()));
      types.addWithin(column.type());
      CqlType type = column.type();
      String quoted = CqlName.quoted(column.name());
      if (type.isReversed() && column.kind() != ColumnKind.CLUSTERING) {
        throw new SchemaException("only a clustering column can be reversed, not " + quoted);
      }
      if (type.kind() == TypeKind.COMPOSITE) {
        throw new SchemaException("a column cannot be a composite: " + quoted);
      }
      if (type.kind() == TypeKind.USER
          && type.isMultiCell()
          && type.elementTypes().stream().anyMatch(CqlType::isMultiCell)) {
        throw new SchemaException(
            "Non-frozen UDTs with nested non-frozen collections are not supported for column "
                + quoted);
      }
      checkCountersWithin(type, quoted);
      if (column.isPrimaryKey()) {
        checkKey(type, quoted);
      }
    }

    private static void checkCountersWithin(CqlType type, String column) {
      for (CqlType part : type.elementTypes()) {
        if (part.isCounter()) {
          throw new SchemaException(
              "Counters are not allowed inside collections, tuples and user types: column "
                  + column);
        }
        checkCountersWithin(part, column);
      }
    }

    private static void checkKey(CqlType type, String column) {
      if (type.isMultiCell()) {
        throw new SchemaException(
            (type.kind() == TypeKind.USER
                    ? "Invalid non-frozen user-defined type "
                    : "Invalid non-frozen collection type ")
                + type.cqlName()
                + " for PRIMARY KEY column "
                + column);
      }
      if (type.isCounter() || (type.isReversed() && type.elementTypes().get(0).isCounter())) {
        throw new SchemaException("counter type is not supported for PRIMARY KEY column " + column);
      }
      if (hasDuration(type)) {
        throw new SchemaException(
            "duration type is not supported for PRIMARY KEY column " + column);
      }
    }

    private static boolean hasDuration(CqlType type) {
      return type.equals(CqlTypes.DURATION)
          || type.elementTypes().stream().anyMatch(Builder::hasDuration);
    }

    private void checkStatic() {
      boolean statics =
          Stream.concat(
                  columns.values().stream(), dropped.values().stream().map(DroppedColumn::column))
              .anyMatch(column -> column.kind() == ColumnKind.STATIC);
      if (statics && ofKind(ColumnKind.CLUSTERING).isEmpty()) {
        throw new SchemaException(
            "Static columns are only useful (and thus allowed) if the table has at least one"
                + " clustering column");
      }
    }

    private void checkCounters() {
      List<Column> cells =
          Stream.concat(
                  columns.values().stream(), dropped.values().stream().map(DroppedColumn::column))
              .filter(column -> !column.isPrimaryKey())
              .toList();
      long counters = cells.stream().filter(column -> column.type().isCounter()).count();
      if (counters != 0 && counters != cells.size()) {
        throw new SchemaException("Cannot mix counter and non counter columns in the same table");
      }
      if (counters != 0 && options.defaultTimeToLive() > 0) {
        throw new SchemaException("Cannot set default_time_to_live on a table with counters");
      }
    }

    private void checkAddedAgain(DroppedColumn before) {
      Column column = columns.get(before.column().name());
      if (column == null) {
        return;
      }
      String again = "Cannot re-add previously dropped column " + CqlName.quoted(column.name());
      if (column.kind() != before.column().kind()) {
        throw new SchemaException(
            again
                + " of kind "
                + column.kind()
                + ", incompatible with previous kind "
                + before.column().kind());
      }
      CqlType type = column.type();
      CqlType typeBefore = before.column().type();
      boolean compatible =
          type.isMultiCell() == typeBefore.isMultiCell()
              && (type.kind() == typeBefore.kind() || type.equals(CqlTypes.BLOB));
      if (!compatible) {
        throw new SchemaException(
            again
                + " with type "
                + type.cqlName()
                + ", incompatible with previous type "
                + typeBefore.cqlName());
      }
      if (column.type().isCounter()) {
        throw new SchemaException(again + ": it is a counter");
      }
    }
  }

  /**
   * Returns the table as CQL text, in the form of a Cassandra snapshot's {@code schema.cql}: its
   * user types, each after those that it uses, the table, and the columns that were dropped. {@link
   * SchemaParser} reads the text back to an equal table.
   */
  public String toCql() {
    return SchemaFormatter.format(this);
  }
}
