package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.RandomSchemas;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.TableModel.Cell;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Marker;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.RandomTypes;
import io.siltstone.type.TypeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Random tables with random content: rows with and without liveness, statics, range tombstones with
 * bounds and boundaries, complex columns with deletions, TTLs, tombstones, and some partitions that
 * are wide.
 *
 * <p>The same seed gives the same table.
 */
public final class RandomPartitions {
  private static final long EPOCH_SECONDS = 1_600_000_000L;
  private static final long EPOCH_MICROS = EPOCH_SECONDS * 1_000_000;
  private static final byte[] NOTHING = {};

  private final Random random;
  private final RandomTypes values;
  private final FormatVersion version;
  private final SerializationHeader header;
  private final RowEncoding encoding;
  private final ClusteringComparator order;
  private final Partitioner partitioner;
  private final Pool pool;

  /**
   * What several tables draw from, so that they have rows in common.
   *
   * @param size values of a type, or 0 for values that hardly ever repeat
   * @param times how many timestamps and local times there are
   * @param values of each type, as far as drawn
   */
  private record Pool(int size, int times, Map<CqlType, List<byte[]>> values) {
    private static final Pool ENDLESS = new Pool(0, 1000, Map.of());
  }

  private RandomPartitions(
      Random random,
      TableSchema schema,
      FormatVersion version,
      Partitioner partitioner,
      EncodingStats stats,
      Pool pool) {
    this.pool = pool;
    this.random = random;
    this.values = new RandomTypes(random);
    this.version = version;
    this.partitioner = partitioner;
    this.header =
        new SerializationHeader(
            schema.keyType(),
            schema.clusteringTypes(),
            headerColumns(schema.staticColumns()),
            headerColumns(schema.regularColumns()),
            stats);
    this.encoding = new RowEncoding(header, version.hasUnsignedDeletionTimes());
    this.order = new ClusteringComparator(header.clusteringTypes());
  }

  private static List<HeaderColumn> headerColumns(List<Column> columns) {
    return columns.stream()
        .map(column -> new HeaderColumn(column.name(), column.type()))
        .sorted(HeaderColumn.CELL_ORDER)
        .toList();
  }

  /**
   * A table with a random schema.
   *
   * @param partitions how many at most, 1 or more
   * @param rows most rows of a partition
   */
  public static TableModel of(long seed, FormatVersion version, int partitions, int rows) {
    Random random = new Random(seed);
    TableSchema schema = RandomSchemas.table(seed);
    while (schema.isCounter()) {
      schema = RandomSchemas.table(random.nextLong());
    }
    return of(random, schema, version, partitions, rows);
  }

  /** As {@link #of(long, FormatVersion, int, int)}, of a given schema. */
  public static TableModel of(
      Random random, TableSchema schema, FormatVersion version, int partitions, int rows) {
    EncodingStats stats = stats(random);
    return new RandomPartitions(random, schema, version, partitioner(random), stats, Pool.ENDLESS)
        .table(partitions, rows);
  }

  /**
   * Tables with keys, rows, cells, timestamps and ranges in common.
   *
   * @param schemas of each table; they have the same primary key
   */
  public static List<TableModel> overlapping(
      Random random, List<TableSchema> schemas, FormatVersion version, int partitions, int rows) {
    Partitioner partitioner = partitioner(random);
    Pool pool = new Pool(1 + random.nextInt(12), 1 + random.nextInt(10), new HashMap<>());
    return schemas.stream()
        .map(
            schema ->
                new RandomPartitions(random, schema, version, partitioner, stats(random), pool)
                    .table(partitions, rows))
        .toList();
  }

  private static EncodingStats stats(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> EncodingStats.NONE;
      // Some of what is written lies below these bases.
      case 1 -> new EncodingStats(EPOCH_MICROS + 500, EPOCH_SECONDS + 500, 50);
      default -> new EncodingStats(EPOCH_MICROS, EPOCH_SECONDS, 0);
    };
  }

  /** Returns any version that can be written. */
  public static FormatVersion version(Random random) {
    FormatVersion[] all = FormatVersion.values();
    FormatVersion version = all[random.nextInt(all.length)];
    return version.isWritable() ? version : FormatVersion.OA;
  }

  private static Partitioner partitioner(Random random) {
    return random.nextInt(4) == 0 ? Partitioner.BYTE_ORDERED : Partitioner.MURMUR3;
  }

  private TableModel table(int partitions, int rows) {
    TreeSet<PartitionKey> keys = new TreeSet<>();
    for (int i = 0; i < partitions; i++) {
      byte[] key = value(header.keyType());
      if (key.length <= PartitionKey.MAX_LENGTH) {
        keys.add(PartitionKey.of(key, partitioner.token(key, 0, key.length)));
      }
    }
    List<Partition> all = new ArrayList<>();
    for (PartitionKey key : keys) {
      boolean wide = random.nextInt(3) == 0;
      int count = wide ? rows : random.nextInt(Math.min(rows, 4) + 1);
      Row staticRow = header.hasStatic() && random.nextBoolean() ? staticRow() : null;
      Deletion deletion = random.nextInt(4) == 0 ? deletion() : Deletion.NONE;
      all.add(new Partition(key, deletion, staticRow, items(count)));
    }
    return new TableModel(header, partitioner, all);
  }

  private List<Item> items(int count) {
    TreeSet<Clustering> places = new TreeSet<>(order);
    for (int i = 0; i < count; i++) {
      places.add(clustering());
    }
    if (header.clusteringTypes().isEmpty()) {
      return new ArrayList<>(places.stream().map(place -> (Item) row(place)).toList());
    }
    List<Item> items = new ArrayList<>();
    @Nullable Deletion open = null;
    int rangesEvery = 1 + random.nextInt(8);
    for (Clustering place : places) {
      if (random.nextInt(rangesEvery) == 0) {
        open = addMarker(items, place, place, open, true);
      }
      if (random.nextInt(8) != 0) {
        items.add(row(place));
      }
      if (random.nextInt(rangesEvery) == 0) {
        open = addMarker(items, place, places.higher(place), open, false);
      }
    }
    if (open != null) {
      Clustering end =
          random.nextBoolean()
              ? Clustering.of(ClusteringKind.INCL_END_BOUND, encoding, List.of())
              : as(ClusteringKind.INCL_END_BOUND, places.last(), places.last().size());
      if (order.compare(items.get(items.size() - 1).clustering(), end) >= 0) {
        end = Clustering.of(ClusteringKind.INCL_END_BOUND, encoding, List.of());
      }
      items.add(new Marker(end, open, open));
    }
    return items;
  }

  /** Adds a marker at a place, if it lies between its neighbours; returns what is open then. */
  private @Nullable Deletion addMarker(
      List<Item> items,
      Clustering place,
      @Nullable Clustering next,
      @Nullable Deletion open,
      boolean before) {
    boolean boundary = open != null && random.nextInt(3) == 0;
    ClusteringKind kind;
    if (boundary) {
      kind =
          before
              ? ClusteringKind.EXCL_END_INCL_START_BOUNDARY
              : ClusteringKind.INCL_END_EXCL_START_BOUNDARY;
    } else if (open != null) {
      kind = before ? ClusteringKind.EXCL_END_BOUND : ClusteringKind.INCL_END_BOUND;
    } else {
      kind = before ? ClusteringKind.INCL_START_BOUND : ClusteringKind.EXCL_START_BOUND;
    }
    int size = random.nextInt(4) == 0 ? random.nextInt(place.size() + 1) : place.size();
    Clustering bound = as(kind, place, size);
    boolean fits =
        (items.isEmpty() || order.compare(items.get(items.size() - 1).clustering(), bound) < 0)
            && (next == null || order.compare(bound, next) < 0);
    // Without values only these two say something: from the beginning, to the end.
    boolean sensible =
        size > 0
            || kind == ClusteringKind.INCL_START_BOUND
            || kind == ClusteringKind.INCL_END_BOUND;
    if (!fits || !sensible) {
      return open;
    }
    if (open != null && boundary) {
      Deletion opening = deletion();
      items.add(new Marker(bound, open, opening));
      return opening;
    }
    if (open != null) {
      items.add(new Marker(bound, open, open));
      return null;
    }
    Deletion opening = deletion();
    items.add(new Marker(bound, opening, opening));
    return opening;
  }

  /** A bound with the first values of a row. */
  private Clustering as(ClusteringKind kind, Clustering place, int size) {
    List<byte @Nullable []> prefix = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      prefix.add(place.valueLength(i) == Clustering.NULL ? null : place.value(i));
    }
    return Clustering.of(kind, encoding, prefix);
  }

  private Clustering clustering() {
    List<byte @Nullable []> parts = new ArrayList<>();
    for (CqlType type : header.clusteringTypes()) {
      parts.add(value(type.isReversed() ? type.unreversed() : type));
    }
    return Clustering.of(ClusteringKind.CLUSTERING, encoding, parts);
  }

  private Row staticRow() {
    Clustering place = new Clustering();
    place.copyFrom(place, ClusteringKind.STATIC_CLUSTERING);
    List<TableModel.Column> columns = columns(header.staticColumns());
    if (columns.isEmpty()) {
      columns = List.of(column(0, header.staticColumns().get(0)));
    }
    return new Row(
        place,
        DeletionTime.NO_TIMESTAMP,
        DeletionTime.NO_TTL,
        DeletionTime.NO_DELETION_TIME,
        Deletion.NONE,
        columns);
  }

  private Row row(Clustering place) {
    List<TableModel.Column> columns = columns(header.regularColumns());
    Deletion deletion = random.nextInt(6) == 0 ? deletion() : Deletion.NONE;
    // An update has no liveness; a row must have something.
    boolean live = random.nextInt(4) != 0 || (columns.isEmpty() && deletion.isLive());
    int ttl = live && random.nextInt(4) == 0 ? ttl() : DeletionTime.NO_TTL;
    return new Row(
        place,
        live ? timestamp() : DeletionTime.NO_TIMESTAMP,
        ttl,
        ttl == DeletionTime.NO_TTL ? DeletionTime.NO_DELETION_TIME : localTime() + ttl,
        deletion,
        columns);
  }

  private List<TableModel.Column> columns(List<HeaderColumn> all) {
    List<TableModel.Column> present = new ArrayList<>();
    int missingOneOf = 1 + random.nextInt(4);
    for (int i = 0; i < all.size(); i++) {
      if (random.nextInt(missingOneOf + 1) != 0) {
        present.add(column(i, all.get(i)));
      }
    }
    return present;
  }

  private TableModel.Column column(int index, HeaderColumn column) {
    CqlType type = column.type();
    if (!type.isMultiCell()) {
      return new TableModel.Column(index, Deletion.NONE, List.of(cell(NOTHING, type)));
    }
    Deletion deletion = random.nextInt(3) == 0 ? deletion() : Deletion.NONE;
    TreeMap<byte[], Cell> cells =
        new TreeMap<>((a, b) -> type.pathType().compare(a, 0, a.length, b, 0, b.length));
    boolean isUser = type.kind() == TypeKind.USER;
    if (!isUser && hasEmpty(type.pathType())) {
      return new TableModel.Column(index, deletion(), List.of());
    }
    for (int i = random.nextInt(4) + (deletion.isLive() ? 1 : 0); i > 0; i--) {
      byte[] path =
          isUser
              ? new byte[] {0, (byte) random.nextInt(type.elementTypes().size())}
              : value(type.pathType());
      cells.put(path, cell(path, type.cellType(path, 0, path.length)));
    }
    return new TableModel.Column(index, deletion, new ArrayList<>(cells.values()));
  }

  private Cell cell(byte[] path, CqlType type) {
    boolean onlyDeleted = hasEmpty(type) && !type.equals(CqlTypes.EMPTY);
    return switch (onlyDeleted ? 0 : random.nextInt(6)) {
      case 0 -> new Cell(path, timestamp(), DeletionTime.NO_TTL, localTime(), NOTHING);
      case 1 -> {
        int ttl = ttl();
        yield new Cell(path, timestamp(), ttl, localTime() + ttl, value(type));
      }
      default ->
          new Cell(
              path, timestamp(), DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME, value(type));
    };
  }

  private Deletion deletion() {
    return new Deletion(timestamp(), localTime());
  }

  private long timestamp() {
    // Some of the timestamps lie below the header's base, or repeat.
    return random.nextInt(10) == 0
        ? random.nextInt(pool.times)
        : EPOCH_MICROS + random.nextInt(pool.times);
  }

  private int ttl() {
    return 1 + random.nextInt(100 * pool.times);
  }

  private long localTime() {
    boolean late = version.hasUnsignedDeletionTimes() && random.nextInt(10) == 0;
    return (late ? 3_000_000_000L : EPOCH_SECONDS) + random.nextInt(pool.times);
  }

  private byte[] value(CqlType type) {
    if (hasEmpty(type)) {
      return NOTHING;
    }
    if (pool.size == 0) {
      return type.encode(values.value(type));
    }
    List<byte[]> drawn = pool.values.computeIfAbsent(type, t -> new ArrayList<>());
    if (drawn.size() < pool.size) {
      drawn.add(type.encode(values.value(type)));
    }
    return drawn.get(random.nextInt(drawn.size()));
  }

  /** Whether the type is "empty", which has no values to draw, or some part of it is. */
  private static boolean hasEmpty(CqlType type) {
    return type.equals(CqlTypes.EMPTY)
        || type.elementTypes().stream().anyMatch(RandomPartitions::hasEmpty);
  }

  /** Random slices of a partition: in order, not overlapping, often at its own bounds. */
  public static List<Slice> slices(
      Random random, TableModel model, RowEncoding encoding, Partition of) {
    if (of.items().isEmpty() || model.header().clusteringTypes().isEmpty()) {
      return List.of(Slice.all(encoding));
    }
    ClusteringComparator order = new ClusteringComparator(model.header().clusteringTypes());
    TreeSet<Clustering> places = new TreeSet<>(order);
    int wanted = 2 * (1 + random.nextInt(3));
    for (int tries = 0; tries < 20 && places.size() < wanted; tries++) {
      Clustering at = of.items().get(random.nextInt(of.items().size())).clustering();
      int size = random.nextInt(5) == 0 ? random.nextInt(at.size() + 1) : at.size();
      List<byte @Nullable []> prefix = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        prefix.add(at.valueLength(i) == Clustering.NULL ? null : at.value(i));
      }
      ClusteringKind kind =
          random.nextBoolean() ? ClusteringKind.INCL_START_BOUND : ClusteringKind.EXCL_START_BOUND;
      places.add(Clustering.of(kind, encoding, prefix));
    }
    List<Clustering> bounds = new ArrayList<>(places);
    List<Slice> slices = new ArrayList<>();
    for (int i = 0; i + 1 < bounds.size(); i += 2) {
      Clustering end = new Clustering();
      // The end of the same place: before the values as a start that includes them.
      end.copyFrom(
          bounds.get(i + 1),
          bounds.get(i + 1).kind() == ClusteringKind.INCL_START_BOUND
              ? ClusteringKind.EXCL_END_BOUND
              : ClusteringKind.INCL_END_BOUND);
      slices.add(new Slice(bounds.get(i), end));
    }
    return slices;
  }
}
