package io.siltstone.rows;

import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.PartitionRange;
import io.siltstone.cursor.Slice;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What to read of a table: partitions, rows, columns, in which direction, how many.
 *
 * <pre>
 *   Query.builder(schema, partitioner)
 *       .partition("sensor-7")
 *       .rows(ClusteringRange.all().from(monday).before(tuesday))
 *       .reversed()
 *       .select("value")
 *       .limit(100)
 *       .build();
 * </pre>
 *
 * Without restrictions it is all rows of all partitions in partition order. Meaning and limits are
 * those of CQL's {@code SELECT}. Immutable, safe for all threads.
 */
public final class Query {
  /** A limit that is none. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  private static final int FEW_ROWS = 1000;

  private final QueryFactory table;
  private final ResultColumns columns;
  private final @Nullable PartitionKey key;
  private final PartitionRange range;
  private final List<Slice> slices;
  private final boolean restrictsRows;
  private final boolean reversed;
  private final boolean distinct;
  private final long limit;
  private final int perPartitionLimit;
  private final int pageSize;
  private final OptionalLong nowSeconds;
  private final List<ClusteringRange> restrictions;
  private final @Nullable PageToken behind;

  private Query(Builder builder) {
    this.table = builder.table;
    this.columns = builder.columns();
    this.key = builder.key;
    this.range = builder.range();
    this.restrictsRows =
        !builder.ranges.isEmpty() && !builder.ranges.contains(ClusteringRange.all());
    this.slices = restrictsRows ? table.slices().of(builder.ranges) : table.allRows();
    this.reversed = builder.reversed;
    this.distinct = builder.distinct;
    this.limit = builder.limit;
    this.perPartitionLimit = builder.perPartitionLimit;
    this.pageSize = builder.pageSize;
    this.nowSeconds = builder.nowSeconds;
    this.restrictions = List.copyOf(builder.ranges);
    this.behind = null;
  }

  private Query(Query of, PageToken behind) {
    this.table = of.table;
    this.columns = of.columns;
    this.key = of.key;
    this.range = of.range;
    this.restrictsRows = of.restrictsRows;
    this.slices = of.slices;
    this.reversed = of.reversed;
    this.distinct = of.distinct;
    this.limit = Math.min(of.limit, behind.rowsLeft());
    this.perPartitionLimit = of.perPartitionLimit;
    this.pageSize = of.pageSize;
    this.nowSeconds = of.nowSeconds;
    this.restrictions = of.restrictions;
    this.behind = behind;
  }

  /**
   * Begins a query of all rows of a table whose partitions are in the partitioner's order. Who
   * makes several of one table has them begun by a {@link QueryFactory}.
   */
  public static Builder builder(TableSchema schema, Partitioner partitioner) {
    return new QueryFactory(schema, partitioner).query();
  }

  /**
   * The rest of this query, behind the place of a token; limits count on from there.
   *
   * @throws IllegalArgumentException if the token comes from a query of another table, other
   *     restrictions or another order
   */
  public Query behind(PageToken token) {
    new Places(this).check(token);
    return new Query(this, token);
  }

  /** The table. */
  public TableSchema schema() {
    return table.schema();
  }

  /** Whose order the table's partitions are in. */
  public Partitioner partitioner() {
    return table.partitioner();
  }

  /** The columns that its rows have. */
  public ResultColumns columns() {
    return columns;
  }

  /** A copy of the key of the one partition that it reads; empty if it reads a range of them. */
  public Optional<PartitionKey> partitionKey() {
    if (key == null) {
      return Optional.empty();
    }
    PartitionKey copy = new PartitionKey();
    copy.copyFrom(key);
    return Optional.of(copy);
  }

  /** The key itself, for the engine; not to be changed. Null if it reads a range. */
  public @Nullable PartitionKey keyView() {
    return key;
  }

  /** Whether rows come from the last to the first. */
  public boolean isReversed() {
    return reversed;
  }

  /** Whether each partition gives one row, without clustering. */
  public boolean isDistinct() {
    return distinct;
  }

  /** Most rows that are left to give, {@link #NO_LIMIT} without limit. */
  public long limit() {
    return limit;
  }

  /** Most rows of a partition; {@code Integer.MAX_VALUE} without limit. */
  public int perPartitionLimit() {
    return perPartitionLimit;
  }

  /** Most rows of a page; {@code Integer.MAX_VALUE} without. */
  public int pageSize() {
    return pageSize;
  }

  /** The present that decides what has expired, if it was given. */
  public OptionalLong nowSeconds() {
    return nowSeconds;
  }

  /**
   * What must be read, in this order: one part, or none if nothing can match; or two, for the rest
   * of a scan that goes on within a partition.
   */
  public List<Read> reads() {
    if (limit == 0 || slices.isEmpty()) {
      return List.of();
    }
    PageToken token = behind;
    if (token == null || token.place() == PageToken.Place.BEGINNING) {
      return List.of(
          key != null
              ? new Read.OfPartition(key, slices, reversed)
              : new Read.OfRange(range, isOfFewRows()));
    }
    List<Read> reads = new ArrayList<>();
    PartitionKey at = table.keys().keyOf(token.key());
    if (token.place() == PageToken.Place.BEHIND_ROW && !isEnough(token.inPartition())) {
      List<Slice> rest =
          table.slices().behind(slices, new Places(this).clusteringOf(token), reversed);
      if (!rest.isEmpty()) {
        reads.add(new Read.OfPartition(at, rest, reversed));
      }
    }
    if (key == null) {
      reads.add(new Read.OfRange(new PartitionRange(at.successor(), range.to()), isOfFewRows()));
    }
    return List.copyOf(reads);
  }

  /** The partitions that it reads, if it is not one. */
  PartitionRange range() {
    return range;
  }

  /** Rows after which limit or page ends; there may be no end. */
  long mostRows() {
    return pageSize == Integer.MAX_VALUE ? limit : Math.min(limit, pageSize);
  }

  /** Whether a partition has shown as many rows as it may. */
  boolean isEnough(int given) {
    return isDistinct()
        ? given >= 1
        : perPartitionLimit != Integer.MAX_VALUE && given >= perPartitionLimit;
  }

  private boolean isOfFewRows() {
    return mostRows() <= FEW_ROWS;
  }

  /** The rows that it shows of a partition, in clustering order; none if nothing can match. */
  public List<Slice> slices() {
    return slices;
  }

  /** Whether clusterings were restricted: partitions of static columns only are then not shown. */
  boolean restrictsRows() {
    return restrictsRows;
  }

  /** What all queries of the table have. */
  QueryFactory table() {
    return table;
  }

  /**
   * Rows that were given before of the partition that the first read goes on within, if it is one.
   */
  int givenOfFirstPartition() {
    return behind != null && behind.place() == PageToken.Place.BEHIND_ROW
        ? behind.inPartition()
        : 0;
  }

  /** The place from which it goes on, or its beginning. */
  PageToken start() {
    return behind != null ? behind : new Places(this).beginning();
  }

  /** All that it says, for messages. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("query of ");
    text.append(schema().keyspace()).append('.').append(schema().name());
    if (key != null) {
      text.append(", ").append(key);
    }
    if (range.from() != null) {
      text.append(", from ").append(range.from());
    }
    if (range.to() != null) {
      text.append(", before ").append(range.to());
    }
    if (!restrictions.isEmpty()) {
      text.append(", ").append(restrictions);
    }
    text.append(", columns ").append(columns);
    text.append(reversed ? ", reversed" : "").append(distinct ? ", distinct" : "");
    append(text, ", limit ", limit, NO_LIMIT);
    append(text, ", per partition ", perPartitionLimit, Integer.MAX_VALUE);
    append(text, ", page of ", pageSize, Integer.MAX_VALUE);
    return text.append(behind == null ? "" : ", behind " + behind).toString();
  }

  private static void append(StringBuilder text, String what, long value, long none) {
    if (value != none) {
      text.append(what).append(value);
    }
  }

  /**
   * Collects what a query restricts. Refuses values that do not fit the table's columns, and
   * restrictions that exclude each other, with an {@link IllegalArgumentException} or {@link
   * IllegalStateException}. Confined to one thread.
   */
  public static final class Builder {
    private final QueryFactory table;
    private final List<ClusteringRange> ranges = new ArrayList<>();

    private @Nullable PartitionKey key;
    private @Nullable PartitionRange range;
    private @Nullable PartitionKey firstKey;
    private @Nullable PartitionKey endKey;
    private @Nullable List<String> selected;
    private boolean reversed;
    private boolean distinct;
    private long limit = NO_LIMIT;
    private int perPartitionLimit = Integer.MAX_VALUE;
    private int pageSize = Integer.MAX_VALUE;
    private OptionalLong nowSeconds = OptionalLong.empty();

    Builder(QueryFactory table) {
      this.table = table;
    }

    /**
     * One partition.
     *
     * @param keyValues of all columns of the partition key, in order
     */
    public Builder partition(Object... keyValues) {
      return partition(table.keys().key(keyValues));
    }

    /** One partition, by its serialized key; a copy is taken. */
    public Builder partition(PartitionKey serialized) {
      refuseSecond(key != null || range != null || firstKey != null || endKey != null);
      PartitionKey copy = new PartitionKey();
      copy.copyFrom(serialized);
      key = copy;
      return this;
    }

    /** Partitions with tokens from {@code first} to {@code last}, both included. */
    public Builder tokens(long first, long last) {
      if (first > last) {
        throw new IllegalArgumentException(
            "tokens from " + first + " to " + last + ", allowed none less than the first");
      }
      return range(PartitionRange.ofTokens(first, last));
    }

    /** A range of partitions, whose keys are not moved any more. */
    public Builder range(PartitionRange partitions) {
      refuseSecond(key != null || range != null || firstKey != null || endKey != null);
      range = partitions;
      return this;
    }

    /**
     * Partitions from this key on; with {@link Partitioner#BYTE_ORDERED} only. Keys are ordered by
     * their serialized bytes, which for text and blobs is the order of values.
     *
     * @param keyValues of all columns of the partition key, in order
     */
    public Builder keysFrom(Object... keyValues) {
      return first(table.keys().key(keyValues));
    }

    /** As {@link #keysFrom}, without the key. */
    public Builder keysAfter(Object... keyValues) {
      return first(table.keys().key(keyValues).successor());
    }

    /** Partitions up to this key; otherwise as {@link #keysFrom}. */
    public Builder keysTo(Object... keyValues) {
      return end(table.keys().key(keyValues).successor());
    }

    /** As {@link #keysTo}, without the key. */
    public Builder keysBefore(Object... keyValues) {
      return end(table.keys().key(keyValues));
    }

    private Builder first(PartitionKey from) {
      requireByteOrdered();
      refuseSecond(key != null || range != null || firstKey != null);
      firstKey = from;
      return this;
    }

    private Builder end(PartitionKey to) {
      requireByteOrdered();
      refuseSecond(key != null || range != null || endKey != null);
      endKey = to;
      return this;
    }

    private void requireByteOrdered() {
      if (table.partitioner() != Partitioner.BYTE_ORDERED) {
        throw new IllegalArgumentException(
            "a range of keys needs partitions ordered by key, these are ordered by "
                + table.partitioner()
                + ": ask for a range of tokens");
      }
    }

    private static void refuseSecond(boolean restricted) {
      if (restricted) {
        throw new IllegalStateException("partitions are restricted already");
      }
    }

    /** One row, by the values of all clustering columns; as one more of {@link #rows}. */
    public Builder row(Object... clusteringValues) {
      if (clusteringValues.length != table.schema().clusteringColumns().size()) {
        throw new IllegalArgumentException(
            clusteringValues.length
                + " values of a row's clustering, the table has "
                + table.schema().clusteringColumns().stream().map(Column::name).toList());
      }
      return rows(ClusteringRange.of(clusteringValues));
    }

    /**
     * Rows of these ranges, in addition to those named before; each row is given once, in
     * clustering order, however the ranges overlap. Without any, all rows.
     */
    public Builder rows(ClusteringRange... of) {
      ranges.addAll(List.of(of));
      return this;
    }

    /**
     * The columns wanted, in order, by their names as written, without quotes. Those of the primary
     * key are there anyway, before them; naming them changes nothing.
     */
    public Builder select(String... names) {
      if (selected != null) {
        throw new IllegalStateException("columns are selected already: " + selected);
      }
      selected = List.of(names);
      return this;
    }

    /** Rows from the last to the first; of one partition only. */
    public Builder reversed() {
      reversed = true;
      return this;
    }

    /**
     * One row per partition that has a live row or live static columns, with partition key and
     * static columns.
     */
    public Builder distinct() {
      distinct = true;
      return this;
    }

    /** Most rows to give, from 1 on. */
    public Builder limit(long rows) {
      limit = positive("limit", rows);
      return this;
    }

    /** Most rows to give of each partition, from 1 on. */
    public Builder perPartitionLimit(int rows) {
      perPartitionLimit = (int) positive("limit per partition", rows);
      return this;
    }

    /** Most rows to give at once, from 1 on; {@link Query#behind} gives the next ones. */
    public Builder pageSize(int rows) {
      pageSize = (int) positive("page size", rows);
      return this;
    }

    private static long positive(String what, long rows) {
      if (rows < 1) {
        throw new IllegalArgumentException(what + " of " + rows + " rows, allowed at least 1");
      }
      return rows;
    }

    /**
     * The present that decides what has expired, in seconds since 1970. Without, it is the time at
     * which the query begins.
     */
    public Builder nowSeconds(long seconds) {
      if (seconds < 0) {
        throw new IllegalArgumentException("present of " + seconds + " s, allowed at least 0");
      }
      nowSeconds = OptionalLong.of(seconds);
      return this;
    }

    /** Checks what was said together. */
    public Query build() {
      List<String> problems = new ArrayList<>();
      if (reversed && key == null) {
        problems.add("rows of several partitions cannot be reversed");
      }
      if (distinct && (!ranges.isEmpty() || reversed)) {
        problems.add("distinct partitions have no rows to restrict or to reverse");
      }
      if (distinct && perPartitionLimit != Integer.MAX_VALUE) {
        problems.add("distinct partitions give one row each, a limit per partition has no meaning");
      }
      if (endsFirst(firstKey, endKey)) {
        problems.add("keys end at " + endKey + " before they begin at " + firstKey);
      }
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", problems));
      }
      return new Query(this);
    }

    private ResultColumns columns() {
      if (distinct) {
        return ResultColumns.ofPartitions(table.schema(), selected);
      }
      return selected == null ? table.allColumns() : ResultColumns.of(table.schema(), selected);
    }

    private static boolean endsFirst(@Nullable PartitionKey from, @Nullable PartitionKey to) {
      return from != null && to != null && from.compareTo(to) > 0 && !isNothing(from, to);
    }

    /** Whether it is what lies behind a key, and before the same one: nothing, but in order. */
    private static boolean isNothing(PartitionKey from, PartitionKey to) {
      return from.equals(to.successor());
    }

    private PartitionRange range() {
      if (range != null) {
        return range;
      }
      boolean nothing = firstKey != null && endKey != null && isNothing(firstKey, endKey);
      return new PartitionRange(nothing ? endKey : firstKey, endKey);
    }
  }
}
