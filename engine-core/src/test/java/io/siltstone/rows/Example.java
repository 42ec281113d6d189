package io.siltstone.rows;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Cell;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.type.CqlType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A table's content, told row by row with values as CQL literals. */
final class Example {
  /** When everything is written. */
  static final long WRITTEN_MICROS = 1_700_000_000_000_000L;

  /** The same in seconds. */
  static final long WRITTEN_SECONDS = WRITTEN_MICROS / 1_000_000;

  private static final byte[] NOTHING = {};
  private static final List<Object> STATIC = List.of("static row");

  private final TableSchema schema;
  private final RowEncoding encoding;
  private final Partitioner partitioner;
  private final KeyParts keys;
  private final TreeMap<PartitionKey, Map<List<Object>, Told>> partitions = new TreeMap<>();

  private Map<List<Object>, Told> partition = new LinkedHashMap<>();
  private Told row = new Told();

  private static final class Told {
    private boolean live;
    private int ttl;
    private final TreeMap<Integer, List<Cell>> cells = new TreeMap<>();
  }

  Example(String createTable) {
    this(createTable, Partitioner.MURMUR3);
  }

  Example(String createTable, Partitioner partitioner) {
    this.schema = SchemaParser.parse(createTable).onlyTable();
    this.encoding = RowEncoding.of(schema, EncodingStats.NONE, true);
    this.partitioner = partitioner;
    this.keys = new KeyParts(schema.partitionKeyColumns(), partitioner);
  }

  TableSchema schema() {
    return schema;
  }

  Query.Builder query() {
    return Query.builder(schema, partitioner);
  }

  Example partition(Object... key) {
    partition = partitions.computeIfAbsent(keys.key(key), k -> new LinkedHashMap<>());
    return this;
  }

  /** Begins a row as an INSERT does. */
  Example insert(Object... clustering) {
    update(clustering);
    row.live = true;
    return this;
  }

  /** Begins a row as an INSERT with a TTL does. */
  Example insertFor(int ttl, Object... clustering) {
    insert(clustering);
    row.ttl = ttl;
    return this;
  }

  /** Begins a row as an UPDATE does. */
  Example update(Object... clustering) {
    row = partition.computeIfAbsent(List.of(clustering), k -> new Told());
    return this;
  }

  Example staticRow() {
    row = partition.computeIfAbsent(STATIC, k -> new Told());
    return this;
  }

  /** Forgets a row. */
  Example forget(Object... clustering) {
    partition.remove(List.of(clustering));
    return this;
  }

  /** A value; a collection as its elements. */
  Example set(String column, Object value) {
    return set(column, value, 0);
  }

  /** A value of these bytes, whether they are one or not. */
  Example raw(String column, byte[] value) {
    return cell(column, NOTHING, 0, value);
  }

  /** A value for some seconds. */
  Example set(String column, Object value, int ttl) {
    CqlType type = column(column).type();
    return cell(column, NOTHING, ttl, type.encode(value));
  }

  /** A cell of a multi-cell column, its path and value as objects. */
  Example element(String column, Object path, @Nullable Object value, int ttl) {
    CqlType type = column(column).type();
    byte[] bytes = type.pathType().encode(path);
    CqlType valueType = type.cellType(bytes, 0, bytes.length);
    return cell(column, bytes, ttl, value == null ? NOTHING : valueType.encode(value));
  }

  /** A tombstone of a cell. */
  Example delete(String column) {
    return put(
        column, new Cell(NOTHING, WRITTEN_MICROS, DeletionTime.NO_TTL, WRITTEN_SECONDS, NOTHING));
  }

  private Example cell(String column, byte[] path, int ttl, byte[] value) {
    long expires = ttl == 0 ? DeletionTime.NO_DELETION_TIME : WRITTEN_SECONDS + ttl;
    return put(column, new Cell(path, WRITTEN_MICROS, ttl, expires, value));
  }

  private Example put(String name, Cell cell) {
    Column column = column(name);
    List<HeaderColumn> all = encoding.header().columns(column.kind() == ColumnKind.STATIC);
    int index = all.indexOf(new HeaderColumn(name, column.type()));
    List<Cell> cells = row.cells.computeIfAbsent(index, k -> new ArrayList<>());
    cells.add(cell);
    if (column.type().isMultiCell()) {
      CqlType type = column.type().pathType();
      cells.sort(
          (a, b) -> type.compare(a.path(), 0, a.path().length, b.path(), 0, b.path().length));
    }
    return this;
  }

  private Column column(String name) {
    return schema.column(name).orElseThrow();
  }

  TableModel model() {
    List<Partition> all = new ArrayList<>();
    ClusteringComparator order = new ClusteringComparator(schema.clusteringTypes());
    partitions.forEach(
        (key, rows) -> {
          List<Item> items = new ArrayList<>();
          rows.forEach(
              (place, told) -> {
                if (place != STATIC) {
                  items.add(row(clustering(place), told));
                }
              });
          items.sort(Comparator.comparing(Item::clustering, order));
          Told shared = rows.get(STATIC);
          Clustering place = new Clustering();
          place.copyFrom(place, ClusteringKind.STATIC_CLUSTERING);
          all.add(
              new Partition(key, Deletion.NONE, shared == null ? null : row(place, shared), items));
        });
    return new TableModel(encoding.header(), partitioner, all);
  }

  private Clustering clustering(List<Object> place) {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < place.size(); i++) {
      values.add(schema.clusteringTypes().get(i).encode(place.get(i)));
    }
    return Clustering.of(ClusteringKind.CLUSTERING, encoding, values);
  }

  private static Row row(Clustering place, Told told) {
    List<TableModel.Column> columns = new ArrayList<>();
    told.cells.forEach(
        (index, cells) -> columns.add(new TableModel.Column(index, Deletion.NONE, cells)));
    return new Row(
        place,
        told.live ? WRITTEN_MICROS : DeletionTime.NO_TIMESTAMP,
        told.ttl,
        told.ttl == 0 ? DeletionTime.NO_DELETION_TIME : WRITTEN_SECONDS + told.ttl,
        Deletion.NONE,
        columns);
  }
}
