package io.siltstone.schema;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * Random tables that Cassandra would accept: all types, names that need quotes, statics, descending
 * and composite keys, user types of user types, dropped columns, all options.
 *
 * <p>The same seed gives the same table.
 */
public final class RandomSchemas {
  private static final CqlType[] SCALARS = {
    CqlTypes.ASCII,
    CqlTypes.BIGINT,
    CqlTypes.BLOB,
    CqlTypes.BOOLEAN,
    CqlTypes.DATE,
    CqlTypes.DECIMAL,
    CqlTypes.DOUBLE,
    CqlTypes.FLOAT,
    CqlTypes.INET,
    CqlTypes.INT,
    CqlTypes.SMALLINT,
    CqlTypes.TEXT,
    CqlTypes.TIME,
    CqlTypes.TIMESTAMP,
    CqlTypes.TIMEUUID,
    CqlTypes.TINYINT,
    CqlTypes.UUID,
    CqlTypes.VARINT
  };

  private static final String[] ODD_NAMES = {
    "Upper", "select", "with space", "quo\"te", "it's", "naïve", "日本語", "😀", "ﬀ", "1st", "-- x",
    "/*", ";", "key", "static", "text", "list", "frozen", "_", "a.b", "\n", "$$"
  };

  /** Those that need no library which a user of this class may not have. */
  private static final String[] COMPRESSORS = {
    "LZ4Compressor", "DeflateCompressor", "NoopCompressor"
  };

  private final Random random;
  private final String keyspace;
  private final String table;
  private final Set<String> names = new HashSet<>();
  private final List<UserType> userTypes = new ArrayList<>();

  private RandomSchemas(Random random, String keyspace, String table) {
    this.random = random;
    this.keyspace = keyspace;
    this.table = table;
  }

  /** A table with names from the seed, too. */
  public static TableSchema table(long seed) {
    Random random = new Random(seed);
    String keyspace = random.nextBoolean() ? "ks" : "Ks_" + random.nextInt(100);
    String name = random.nextBoolean() ? "t" : random.nextBoolean() ? "Table" : "select";
    return new RandomSchemas(random, keyspace, name).next();
  }

  /** A table with these names; its user types begin with the table's name. */
  public static TableSchema table(long seed, String keyspace, String name) {
    return new RandomSchemas(new Random(seed), keyspace, name).next();
  }

  private TableSchema next() {
    for (int i = random.nextInt(4); i > 0; i--) {
      userTypes.add(userType());
    }
    boolean counters = random.nextInt(8) == 0;
    TableSchema.Builder builder = TableSchema.builder(keyspace, table);
    userTypes.forEach(builder::userType);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      builder.partitionKey(name(), keyType());
    }
    int clusterings = random.nextInt(4);
    for (int i = 0; i < clusterings; i++) {
      CqlType type = keyType();
      builder.clustering(name(), random.nextBoolean() ? CqlTypes.reversed(type) : type);
    }
    if (clusterings > 0) {
      for (int i = random.nextInt(4); i > 0; i--) {
        builder.staticColumn(name(), counters ? CqlTypes.COUNTER : valueType());
      }
    }
    for (int i = (counters ? 1 : 0) + random.nextInt(6); i > 0; i--) {
      builder.regular(name(), counters ? CqlTypes.COUNTER : valueType());
    }
    if (random.nextInt(4) == 0) {
      dropped(builder, counters, clusterings > 0);
    }
    if (random.nextBoolean()) {
      builder.id(new UUID(random.nextLong(), random.nextLong()));
    }
    return builder.options(options(counters)).build();
  }

  private void dropped(TableSchema.Builder builder, boolean counters, boolean statics) {
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      CqlType type = counters ? CqlTypes.COUNTER : element();
      boolean isStatic = statics && random.nextBoolean();
      String name = name();
      Column column =
          new Column(
              name, type, isStatic ? ColumnKind.STATIC : ColumnKind.REGULAR, Column.NO_POSITION);
      DroppedColumn dropped = new DroppedColumn(column, random.nextLong() >>> 12);
      builder.drop(dropped);
      // A user type was made a tuple, and comes back as nothing else.
      if (!counters && dropped.column().type().equals(type) && random.nextBoolean()) {
        if (isStatic) {
          builder.staticColumn(name, type);
        } else {
          builder.regular(name, type);
        }
      }
    }
  }

  private String name() {
    while (true) {
      String name =
          random.nextInt(3) == 0
              ? ODD_NAMES[random.nextInt(ODD_NAMES.length)]
              : Character.toString('a' + random.nextInt(26)) + random.nextInt(50);
      if (names.add(name)) {
        return name;
      }
    }
  }

  private UserType userType() {
    List<UserType.Field> fields = new ArrayList<>();
    Set<String> fieldNames = new HashSet<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      String field =
          random.nextInt(3) == 0
              ? ODD_NAMES[random.nextInt(ODD_NAMES.length)]
              : "f" + random.nextInt(20);
      if (fieldNames.add(field)) {
        // Only a collection at the top may stay as it is.
        fields.add(new UserType.Field(field, random.nextInt(4) == 0 ? collection() : element()));
      }
    }
    String odd = random.nextInt(3) == 0 ? "_É" : "_u";
    return CqlTypes.userType(keyspace, table + odd + userTypes.size(), fields);
  }

  private CqlType scalar() {
    return SCALARS[random.nextInt(SCALARS.length)];
  }

  private CqlType keyType() {
    return switch (random.nextInt(8)) {
      case 0 -> CqlTypes.tuple(List.of(scalar(), scalar()));
      case 1 -> CqlTypes.map(scalar(), scalar()).frozen();
      case 2 -> CqlTypes.vector(scalar(), 1 + random.nextInt(4));
      default -> scalar();
    };
  }

  /** Of a column: multi-cell or not. */
  private CqlType valueType() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> collection();
      case 2 -> CqlTypes.DURATION;
      case 3 -> topLevelUserType();
      default -> element();
    };
  }

  private CqlType topLevelUserType() {
    if (userTypes.isEmpty()) {
      return scalar();
    }
    UserType type = userTypes.get(random.nextInt(userTypes.size()));
    return type.elementTypes().stream().anyMatch(CqlType::isMultiCell) ? type.frozen() : type;
  }

  private CqlType collection() {
    return switch (random.nextInt(3)) {
      case 0 -> CqlTypes.list(element());
      case 1 -> CqlTypes.set(element());
      default -> CqlTypes.map(element(), element());
    };
  }

  /** Not multi-cell. */
  private CqlType element() {
    return switch (random.nextInt(12)) {
      case 0 -> collection().frozen();
      case 1 -> CqlTypes.tuple(List.of(element(), CqlTypes.DURATION, element()));
      case 2 ->
          CqlTypes.vector(
              random.nextInt(3) == 0 ? element() : CqlTypes.FLOAT, 1 + random.nextInt(9));
      case 3, 4 ->
          userTypes.isEmpty() ? scalar() : userTypes.get(random.nextInt(userTypes.size())).frozen();
      case 5 -> random.nextInt(4) == 0 ? CqlTypes.EMPTY : scalar();
      default -> scalar();
    };
  }

  private TableOptions options(boolean counters) {
    TableOptions.Builder options = TableOptions.builder();
    if (random.nextInt(4) == 0) {
      return options.build();
    }
    int interval = 1 + random.nextInt(500);
    options
        .additionalWritePolicy(policy())
        .speculativeRetry(policy())
        .allowAutoSnapshot(random.nextBoolean())
        .incrementalBackups(random.nextBoolean())
        .caching(
            new Caching(
                random.nextBoolean(), new int[] {0, 100, Integer.MAX_VALUE}[random.nextInt(3)]))
        .cdc(random.nextBoolean())
        .comment(ODD_NAMES[random.nextInt(ODD_NAMES.length)])
        .compaction(compaction())
        .compression(compression())
        .crcCheckChance(random.nextInt(101) / 100.0)
        .defaultTimeToLive(counters ? 0 : random.nextInt(TableOptions.MAX_TIME_TO_LIVE))
        .gcGraceSeconds(random.nextInt(Integer.MAX_VALUE))
        .minIndexInterval(interval)
        .maxIndexInterval(interval + random.nextInt(4096))
        .memtable(random.nextBoolean() ? "default" : "trie")
        .memtableFlushPeriodInMs(random.nextInt(100_000))
        .readRepair(random.nextBoolean() ? "BLOCKING" : "NONE");
    if (random.nextBoolean()) {
      options.bloomFilterFpChance(0.0001 + random.nextInt(10_000) / 10_001.0);
    }
    if (random.nextInt(4) == 0) {
      options.extensions(Map.of("Ext " + random.nextInt(9), "00ff" + (10 + random.nextInt(90))));
    }
    return options.build();
  }

  private String policy() {
    String[] policies = {
      "ALWAYS", "NEVER", "99p", "99.5p", "50ms", "MIN(99p,50ms)", "MAX(90p,5ms)"
    };
    return policies[random.nextInt(policies.length)];
  }

  private Map<String, String> compaction() {
    Map<String, String> map = new LinkedHashMap<>();
    List<String> strategies = TableOptions.COMPACTION_STRATEGIES;
    String strategy = strategies.get(random.nextInt(strategies.size()));
    map.put("class", random.nextBoolean() ? TableOptions.COMPACTION_PACKAGE + strategy : strategy);
    if (random.nextBoolean()) {
      map.put("enabled", String.valueOf(random.nextBoolean()));
    }
    if (strategy.startsWith("SizeTiered") && random.nextBoolean()) {
      map.put("min_threshold", String.valueOf(2 + random.nextInt(6)));
      map.put("max_threshold", String.valueOf(8 + random.nextInt(60)));
    }
    if (strategy.startsWith("TimeWindow") && random.nextBoolean()) {
      map.put("compaction_window_unit", "HOURS");
      map.put("compaction_window_size", String.valueOf(1 + random.nextInt(24)));
    }
    return map;
  }

  private CompressionOptions compression() {
    if (random.nextInt(5) == 0) {
      return CompressionOptions.NONE;
    }
    Map<String, String> map = new LinkedHashMap<>();
    map.put("class", COMPRESSORS[random.nextInt(COMPRESSORS.length)]);
    map.put("chunk_length_in_kb", String.valueOf(1 << random.nextInt(8)));
    if (random.nextInt(3) == 0) {
      map.put("min_compress_ratio", String.valueOf(1.0 + random.nextInt(40) / 10.0));
    }
    return CompressionOptions.fromMap(map);
  }
}
