package io.siltstone.spark.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.siltstone.spark.token.TokenRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The options of the data source, as {@code docs/spark.md} lists them. Names are not case
 * sensitive. Each method throws an {@link IllegalArgumentException} that names the option, its
 * value and what is allowed. Immutable, safe for use by all threads.
 */
public final class SourceOptions {
  /** The option of the definition of the table, a {@code CREATE TABLE} statement. */
  public static final String SCHEMA = "schema";

  /** The option of the columns of the partition key of a table that is written. */
  public static final String PARTITION_KEY = "partitionKey";

  /** The option of the clustering columns of a table that is written. */
  public static final String CLUSTERING_KEY = "clusteringKey";

  /** The option of the column with the time to live of each row that is written. */
  public static final String TTL_COLUMN = "ttlColumn";

  /** The option of the column with the timestamp of each row that is written. */
  public static final String TIMESTAMP_COLUMN = "timestampColumn";

  /** The option of the column that says what each row that is written does. */
  public static final String OPERATION_COLUMN = "operationColumn";

  static final String NUMBERS_AS_TEXT = "numbersAsText";

  private static final String PATH = "path";
  private static final String PATHS = "paths";
  private static final String ON_DAMAGE = "onDamage";
  private static final String SPLIT_BYTES = "splitBytes";
  private static final String BATCH_ROWS = "batchRows";
  private static final String FIRST_TOKEN = "firstToken";
  private static final String LAST_TOKEN = "lastToken";
  private static final String KEY_FILE = "keyFile";
  private static final String RING = "ring";
  private static final String NODES = "nodes";
  private static final String NODE_DIRECTORIES = "nodeDirectories";
  private static final String CONTENT = "content";
  private static final String NOW_SECONDS = "nowSeconds";
  private static final String TOKEN_RANGES = "tokenRanges";
  private static final String TABLE = "table";
  private static final String VERSION = "version";
  private static final String COMPRESSION = "compression";
  private static final String CHUNK_LENGTH_KB = "chunkLengthKb";
  private static final String TTL = "ttl";
  private static final String TIMESTAMP = "timestamp";
  private static final String SORT_BYTES = "sortBytes";

  private static final Set<String> NAMES =
      new TreeSet<>(
          Set.of(
              SCHEMA,
              PARTITION_KEY,
              CLUSTERING_KEY,
              TTL_COLUMN,
              TIMESTAMP_COLUMN,
              OPERATION_COLUMN,
              PATH,
              PATHS,
              NUMBERS_AS_TEXT,
              ON_DAMAGE,
              SPLIT_BYTES,
              BATCH_ROWS,
              FIRST_TOKEN,
              LAST_TOKEN,
              KEY_FILE,
              RING,
              NODES,
              NODE_DIRECTORIES,
              CONTENT,
              NOW_SECONDS,
              TOKEN_RANGES,
              TABLE,
              VERSION,
              COMPRESSION,
              CHUNK_LENGTH_KB,
              TTL,
              TIMESTAMP,
              SORT_BYTES));

  private static final String NAMES_OF_COLUMNS = "names of columns, separated by commas";

  private static final long DEFAULT_SPLIT_BYTES = 128L << 20;
  private static final int DEFAULT_BATCH_ROWS = 4096;
  private static final int MOST_BATCH_ROWS = 1 << 20;
  private static final int MOST_TOKEN_RANGES = 1 << 20;
  private static final long DEFAULT_SORT_BYTES = 64L << 20;
  private static final long MOST_TTL_SECONDS = 630_720_000;

  private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  /**
   * Takes over options, and checks all that stand for themselves.
   *
   * @throws IllegalArgumentException naming an option that is not known, and those that are, or one
   *     that is wrong
   */
  public SourceOptions(Map<String, String> options) {
    values.putAll(options);
    Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    known.addAll(NAMES);
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "the data source sstable has no option '" + name + "', its options are " + NAMES);
      }
    }
    paths();
    areNumbersText();
    skipsDamage();
    splitBytes();
    batchRows();
    nowSeconds();
    tokenRanges();
    showsUncoveredRanges();
    requireRing(NODES);
    if (showsUncoveredRanges()) {
      requireRing(CONTENT);
    }
    requireRing(NODE_DIRECTORIES);
    chunkLengthKb();
    ttl();
    timestamp();
    sortBytes();
    if (firstToken().orElse(Long.MIN_VALUE) > lastToken().orElse(Long.MAX_VALUE)) {
      throw wrong(
          FIRST_TOKEN,
          String.valueOf(values.get(FIRST_TOKEN)),
          "none after that of option lastToken, " + values.get(LAST_TOKEN));
    }
  }

  /**
   * Returns these options with those of one query, which win.
   *
   * @throws IllegalArgumentException if one of them would make it another table
   */
  public SourceOptions with(Map<String, String> query) {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(values);
    all.putAll(query);
    for (String fixed : List.of(PATH, PATHS, SCHEMA, NUMBERS_AS_TEXT, CONTENT)) {
      if (!Objects.equals(all.get(fixed), values.get(fixed))) {
        throw new IllegalArgumentException(
            "option " + fixed + " is of the table or the catalog, not of a query");
      }
    }
    return new SourceOptions(all);
  }

  /** Returns the names of all options. */
  public static Set<String> names() {
    return new TreeSet<>(NAMES);
  }

  /** Returns the names of the options that may hold for all tables of a catalog. */
  public static Set<String> namesForAllTables() {
    return new TreeSet<>(
        Set.of(
            NUMBERS_AS_TEXT,
            ON_DAMAGE,
            SPLIT_BYTES,
            BATCH_ROWS,
            TOKEN_RANGES,
            KEY_FILE,
            VERSION,
            COMPRESSION,
            CHUNK_LENGTH_KB,
            SORT_BYTES));
  }

  private Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  private static IllegalArgumentException wrong(String name, String value, String allowed) {
    return new IllegalArgumentException(
        "option " + name + " is '" + value + "', allowed " + allowed);
  }

  /**
   * Returns the paths of the directories, at least one.
   *
   * @throws IllegalArgumentException if there is none
   */
  public List<String> paths() {
    List<String> paths = new ArrayList<>();
    String several = values.get(PATHS);
    if (several != null) {
      try {
        paths.addAll(List.of(new ObjectMapper().readValue(several, String[].class)));
      } catch (JsonProcessingException e) {
        throw wrong(PATHS, several, "a JSON array of strings");
      }
    }
    text(PATH).ifPresent(paths::add);
    if (paths.isEmpty()) {
      throw new IllegalArgumentException(
          "the data source sstable needs the path of a directory with SSTables, as in load(path)");
    }
    return paths;
  }

  /** Returns the definition of the table, if it is given. */
  public Optional<String> schema() {
    return text(SCHEMA);
  }

  /** Returns whether varint and decimal are read as strings; false by default. */
  public boolean areNumbersText() {
    return text(NUMBERS_AS_TEXT).map(value -> bool(NUMBERS_AS_TEXT, value)).orElse(false);
  }

  private static boolean bool(String name, String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(name, value, "true or false");
    };
  }

  /** Returns whether SSTables that are damaged are skipped; by default the job fails. */
  public boolean skipsDamage() {
    return text(ON_DAMAGE)
        .map(
            value ->
                switch (value.toLowerCase(Locale.ROOT)) {
                  case "fail" -> false;
                  case "skip" -> true;
                  default -> throw wrong(ON_DAMAGE, value, "fail or skip");
                })
        .orElse(false);
  }

  private OptionalLong number(String name, long least, long most) {
    String value = values.get(name);
    if (value == null) {
      return OptionalLong.empty();
    }
    String allowed = "a whole number from " + least + " to " + most;
    try {
      long number = Long.parseLong(value.strip());
      if (number < least || number > most) {
        throw wrong(name, value, allowed);
      }
      return OptionalLong.of(number);
    } catch (NumberFormatException e) {
      throw wrong(name, value, allowed);
    }
  }

  /** Returns the size of the data that a task reads, before compression, in bytes. */
  public long splitBytes() {
    return number(SPLIT_BYTES, 1, Long.MAX_VALUE).orElse(DEFAULT_SPLIT_BYTES);
  }

  /** Returns the number of rows of a batch. */
  public int batchRows() {
    return (int) number(BATCH_ROWS, 1, MOST_BATCH_ROWS).orElse(DEFAULT_BATCH_ROWS);
  }

  /** Returns the first token of the partitions that are read. */
  public OptionalLong firstToken() {
    return number(FIRST_TOKEN, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Returns the last token of the partitions that are read. */
  public OptionalLong lastToken() {
    return number(LAST_TOKEN, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Returns the time by which data has expired, in seconds since 1970, if it is given. */
  public OptionalLong nowSeconds() {
    return number(NOW_SECONDS, 0, Long.MAX_VALUE);
  }

  /** Returns the token ranges of which no task reads more than one, if they are given. */
  public Optional<TokenRanges> tokenRanges() {
    OptionalLong count = number(TOKEN_RANGES, 1, MOST_TOKEN_RANGES);
    return count.isPresent()
        ? Optional.of(new TokenRanges((int) count.getAsLong()))
        : Optional.empty();
  }

  /** Returns the path of the file with the keys of encrypted files, if it is given. */
  public Optional<String> keyFile() {
    return text(KEY_FILE);
  }

  /** Returns the path of the file with the token ranges of a cluster, if it is given. */
  public Optional<String> ring() {
    return text(RING);
  }

  /** Returns the nodes whose directories are read, in the order of the paths, if they are given. */
  public List<String> nodes() {
    return list(NODES, "addresses of nodes, separated by commas");
  }

  /** Returns the path of the directory with one for each node, if it is given. */
  public Optional<String> nodeDirectories() {
    return text(NODE_DIRECTORIES);
  }

  private void requireRing(String name) {
    if (values.containsKey(name) && !values.containsKey(RING)) {
      throw new IllegalArgumentException(
          "option " + name + " needs option " + RING + ", which says the ranges of the nodes");
    }
  }

  /** Returns whether not the rows are read, but the token ranges that no directory covers. */
  public boolean showsUncoveredRanges() {
    return text(CONTENT)
        .map(
            value ->
                switch (value.toLowerCase(Locale.ROOT)) {
                  case "rows" -> false;
                  case "uncoveredranges" -> true;
                  default -> throw wrong(CONTENT, value, "rows or uncoveredRanges");
                })
        .orElse(false);
  }

  /** Returns the names of the columns of the partition key; empty if they are not given. */
  public List<String> partitionKey() {
    return list(PARTITION_KEY, NAMES_OF_COLUMNS);
  }

  /** Returns the clustering columns, each perhaps followed by {@code ASC} or {@code DESC}. */
  public List<String> clusteringKey() {
    return list(CLUSTERING_KEY, NAMES_OF_COLUMNS);
  }

  private List<String> list(String name, String allowed) {
    String value = values.get(name);
    if (value == null || value.isBlank()) {
      return List.of();
    }
    List<String> parts = new ArrayList<>();
    for (String part : value.split(",", -1)) {
      if (part.isBlank()) {
        throw wrong(name, value, allowed);
      }
      parts.add(part.strip());
    }
    return parts;
  }

  /** Returns keyspace and name of a table that is written without a definition. */
  public String table() {
    return text(TABLE).orElse("spark.data");
  }

  /** Returns the format version of the SSTables that are written, if it is given. */
  public Optional<String> version() {
    return text(VERSION);
  }

  /** Returns the name of the compressor, if it is given. */
  public Optional<String> compression() {
    return text(COMPRESSION);
  }

  /** Returns the length of the chunks in KiB, if it is given. */
  public OptionalInt chunkLengthKb() {
    OptionalLong value = number(CHUNK_LENGTH_KB, 1, 1 << 20);
    return value.isPresent() ? OptionalInt.of((int) value.getAsLong()) : OptionalInt.empty();
  }

  /** Returns the time to live of all rows, in seconds, if it is given. */
  public OptionalLong ttl() {
    return number(TTL, 0, MOST_TTL_SECONDS);
  }

  /** Returns the column with the time to live of each row, if it is given. */
  public Optional<String> ttlColumn() {
    return text(TTL_COLUMN);
  }

  /** Returns the timestamp of all rows, in microseconds since 1970, if it is given. */
  public OptionalLong timestamp() {
    return number(TIMESTAMP, Long.MIN_VALUE + 1, Long.MAX_VALUE);
  }

  /** Returns the column with the timestamp of each row, if it is given. */
  public Optional<String> timestampColumn() {
    return text(TIMESTAMP_COLUMN);
  }

  /** Returns the column that says what each row does, if it is given. */
  public Optional<String> operationColumn() {
    return text(OPERATION_COLUMN);
  }

  /** Returns whether a column of the data frame is named by an option, and not by the table. */
  boolean isColumnOfOption(String column) {
    return List.of(TTL_COLUMN, TIMESTAMP_COLUMN, OPERATION_COLUMN).stream()
        .anyMatch(option -> column.equals(values.get(option)));
  }

  /** Returns the memory in which a task sorts rows, in bytes. */
  public long sortBytes() {
    return number(SORT_BYTES, 8L << 10, 1L << 40).orElse(DEFAULT_SORT_BYTES);
  }
}
