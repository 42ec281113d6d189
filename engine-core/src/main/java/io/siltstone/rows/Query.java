package io.siltstone.rows;

import io.siltstone.cursor.Slice;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.text.CountText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What to read from a table: which partitions, rows and columns, in which direction, and how many
 * rows. Usually begun with {@code Table.query()}.
 *
 * <pre>
 *   table.query()
 *       .partition("sensor-7")
 *       .rows(ClusteringRange.all().from(monday).before(tuesday))
 *       .reversed()
 *       .select("value")
 *       .limit(100)
 *       .build();
 * </pre>
 *
 * A query without restrictions reads all rows of all partitions, in the order of the partitioner.
 * The meaning is that of CQL's {@code SELECT}. Immutable, safe for use by any number of threads.
 */
public final class Query {
  /** The value of {@link #limit()} if the number of rows is not limited. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  private final QueryFactory table;
  private final ResultColumns columns;
  private final Restriction restriction;
  private final Limits limits;
  private final @Nullable PagingState after;

  private Query(
      QueryFactory table,
      ResultColumns columns,
      Restriction restriction,
      Limits limits,
      @Nullable PagingState after) {
    this.table = table;
    this.columns = columns;
    this.restriction = restriction;
    this.limits = limits;
    this.after = after;
  }

  /**
   * Begins a query without an open table. To make several queries of one table, create a {@link
   * QueryFactory} once: it keeps what they have in common.
   *
   * @param schema the table's definition
   * @param partitioner decides the order of the table's partitions
   */
  public static Builder builder(TableSchema schema, Partitioner partitioner) {
    return new QueryFactory(schema, partitioner).query();
  }

  /**
   * Returns the continuation of this query after the place that a paging state stands for.
   *
   * <p>The state may come from a query that selects other columns, or has another page size or
   * other limits. Columns and page size are those of this query. The limit of this query applies to
   * the rows that follow, and so does what the earlier pages have left of the limit of theirs: the
   * lesser ends the result. The limit per partition is that of this query, and counts the rows that
   * the earlier pages have returned of the partition.
   *
   * @throws IllegalArgumentException if the state comes from a query of another table, with other
   *     restrictions, or in another order
   */
  public Query after(PagingState state) {
    new Places(this).check(state);
    return new Query(table, columns, restriction, limits.after(state.rowsLeft()), state);
  }

  /** Returns the table's definition when the query was built. */
  public TableSchema schema() {
    return table.schema();
  }

  /** Returns the partitioner, which decides the order of the table's partitions. */
  public Partitioner partitioner() {
    return table.partitioner();
  }

  /** Returns the columns of the result. */
  public ResultColumns columns() {
    return columns;
  }

  /**
   * Returns a copy of the partition key if the query reads exactly one partition; otherwise empty.
   */
  public Optional<PartitionKey> partitionKey() {
    if (restriction.key() == null) {
      return Optional.empty();
    }
    PartitionKey copy = new PartitionKey();
    copy.copyFrom(restriction.key());
    return Optional.of(copy);
  }

  /**
   * Returns the partition key without a copy, which must not be changed; null if the query reads a
   * range of partitions.
   */
  @Nullable PartitionKey keyView() {
    return restriction.key();
  }

  /** Returns whether rows are returned in reverse clustering order. */
  public boolean isReversed() {
    return restriction.reversed();
  }

  /** Returns whether each partition yields one row, without clustering columns. */
  public boolean isDistinct() {
    return restriction.distinct();
  }

  /**
   * Returns the maximum number of rows that are still to be returned; {@link #NO_LIMIT} if there is
   * no limit.
   */
  public long limit() {
    return limits.rows();
  }

  /**
   * Returns the maximum number of rows of each partition; {@code Integer.MAX_VALUE} if there is no
   * limit.
   */
  public int perPartitionLimit() {
    return limits.perPartition();
  }

  /**
   * Returns the maximum number of rows of a page; {@code Integer.MAX_VALUE} if there are no pages.
   */
  public int pageSize() {
    return limits.page();
  }

  /**
   * Returns the time that decides what has expired, in seconds since 1970; empty if it is that of
   * the read.
   */
  public OptionalLong nowSeconds() {
    return limits.nowSeconds();
  }

  /** Returns the time that a read may take, see {@link Builder#timeout}; empty if any. */
  public Optional<Duration> timeout() {
    return limits.timeout();
  }

  /** Returns the range of partitions that the query reads, if it is not of one partition. */
  PartitionRange range() {
    return restriction.range();
  }

  /** Returns the maximum number of rows until the limit or the page ends. */
  long mostRows() {
    return Math.min(limits.rows(), limits.page() == Integer.MAX_VALUE ? NO_LIMIT : limits.page());
  }

  /** Returns whether a partition may yield no more rows after so many. */
  boolean isEnough(int given) {
    return isDistinct()
        ? given >= 1
        : limits.perPartition() != Integer.MAX_VALUE && given >= limits.perPartition();
  }

  /**
   * Returns the rows that the query reads of a partition, in clustering order; empty if nothing can
   * match.
   */
  List<Slice> slices() {
    return restriction.slices();
  }

  /**
   * Returns whether the query restricts clusterings. If so, a partition that has only static
   * columns is not shown.
   */
  boolean restrictsRows() {
    return restriction.restrictsRows();
  }

  /** Returns the slices of {@link Restriction#rest}. */
  List<Slice> rest() {
    return restriction.rest();
  }

  /** Returns the factory of the table's queries. */
  QueryFactory table() {
    return table;
  }

  /**
   * Returns how many rows earlier pages have returned of the partition in which the first read
   * continues.
   */
  int givenOfFirstPartition() {
    return after != null && after.place() == PagingState.Place.AFTER_ROW ? after.inPartition() : 0;
  }

  /** Returns the place after which the query continues; null if it is the first page. */
  @Nullable PagingState continuedAfter() {
    return after;
  }

  /** Returns the place at which the query continues, or that of its beginning. */
  PagingState start() {
    return after != null ? after : new Places(this).beginning();
  }

  /** Returns all restrictions, for messages. */
  @Override
  public String toString() {
    return QueryText.of(this, restriction);
  }

  /**
   * Collects the restrictions of a query. Values that do not fit the table's columns cause an
   * {@link IllegalArgumentException}; restrictions that exclude each other this or an {@link
   * IllegalStateException}. Not safe for use by several threads.
   */
  public static final class Builder {
    private final QueryFactory table;
    private final List<ClusteringRange> ranges = new ArrayList<>();

    private final PartitionRestriction partitions;
    private @Nullable Split split;
    private @Nullable List<String> selected;
    private boolean reversed;
    private boolean distinct;
    private long limit = NO_LIMIT;
    private int perPartitionLimit = Integer.MAX_VALUE;
    private int pageSize = Integer.MAX_VALUE;
    private Optional<Duration> timeout = Optional.empty();
    private OptionalLong nowSeconds = OptionalLong.empty();

    Builder(QueryFactory table) {
      this.table = table;
      this.partitions = new PartitionRestriction(table.partitioner());
    }

    /**
     * Reads one partition.
     *
     * @param keyValues a value for each column of the partition key, in order
     */
    public Builder partition(Object... keyValues) {
      return partition(table.keys().key(keyValues));
    }

    /** Reads one partition, given by its serialized key, which is copied. */
    public Builder partition(PartitionKey serialized) {
      partitions.restrictToKey(serialized);
      return this;
    }

    /** Reads partitions whose tokens lie between two, both inclusive. */
    public Builder tokens(long first, long last) {
      if (first > last) {
        throw new IllegalArgumentException(
            "tokens from " + first + " to " + last + ", allowed none less than the first");
      }
      return range(PartitionRange.ofTokens(first, last));
    }

    /** Reads a range of partitions. The keys in it must not be changed afterwards. */
    public Builder range(PartitionRange keys) {
      partitions.restrictToRange(keys);
      return this;
    }

    /**
     * Reads a split of a table. Of the rows of a split that divides a partition, only those are
     * read that {@link #rows} names, if it is called, and limits per partition apply to the split.
     * A partition that has only static columns is a row of its first split.
     */
    public Builder split(Split of) {
      PartitionKey from = of.partitions().from();
      if (of.isOfRows() && from != null) {
        partitions.restrictToKey(from);
      } else {
        partitions.restrictToRange(of.partitions());
      }
      split = of;
      return this;
    }

    /**
     * Reads partitions whose keys are greater than this one, or equal. Works only with {@link
     * Partitioner#BYTE_ORDERED}. Keys are compared by their serialized bytes; for text and blobs
     * this is the order of the values.
     *
     * @param keyValues a value for each column of the partition key, in order
     */
    public Builder keysFrom(Object... keyValues) {
      partitions.restrictFrom(table.keys().key(keyValues));
      return this;
    }

    /** Reads partitions whose keys are greater than this one. Otherwise as {@link #keysFrom}. */
    public Builder keysAfter(Object... keyValues) {
      partitions.restrictFrom(table.keys().key(keyValues).successor());
      return this;
    }

    /**
     * Reads partitions whose keys are less than this one, or equal. Otherwise as {@link #keysFrom}.
     */
    public Builder keysTo(Object... keyValues) {
      partitions.restrictTo(table.keys().key(keyValues).successor());
      return this;
    }

    /** Reads partitions whose keys are less than this one. Otherwise as {@link #keysFrom}. */
    public Builder keysBefore(Object... keyValues) {
      partitions.restrictTo(table.keys().key(keyValues));
      return this;
    }

    /**
     * Reads one row, in addition to the rows named before; see {@link #rows}.
     *
     * @param clusteringValues a value for each clustering column, in order
     */
    public Builder row(Object... clusteringValues) {
      if (clusteringValues.length != table.schema().clusteringColumns().size()) {
        throw new IllegalArgumentException(
            CountText.of(clusteringValues.length, "value")
                + " of a row's clustering, the table has "
                + table.schema().clusteringColumns().stream().map(Column::name).toList());
      }
      return rows(ClusteringRange.of(clusteringValues));
    }

    /**
     * Reads the rows of these ranges, in addition to the rows named before. Ranges may overlap:
     * each row is returned once, in clustering order. If no rows are named, all rows of the
     * partitions are read.
     */
    public Builder rows(ClusteringRange... of) {
      ranges.addAll(List.of(of));
      return this;
    }

    /**
     * Selects the columns of the result, in this order. The columns of the primary key are always
     * there, in front of the others; to name them too makes no difference. If this is not called,
     * all columns are selected.
     *
     * @param names the columns' names, without quotes
     */
    public Builder select(String... names) {
      if (selected != null) {
        throw new IllegalStateException("columns are selected already: " + selected);
      }
      selected = List.of(names);
      return this;
    }

    /** Asks for rows in reverse clustering order. Allowed only for a query of one partition. */
    public Builder reversed() {
      reversed = true;
      return this;
    }

    /**
     * Asks for one row for each partition that has a live row or live static columns. It consists
     * of the partition key and the static columns.
     */
    public Builder distinct() {
      distinct = true;
      return this;
    }

    /**
     * Limits the number of rows of the result.
     *
     * @param rows at least 1
     */
    public Builder limit(long rows) {
      limit = positive("limit", rows);
      return this;
    }

    /**
     * Limits the number of rows of each partition.
     *
     * @param rows at least 1
     */
    public Builder perPartitionLimit(int rows) {
      perPartitionLimit = (int) positive("limit per partition", rows);
      return this;
    }

    /**
     * Divides the result into pages. A read returns one page; {@link Query#after} gives the query
     * of the next page.
     *
     * @param rows the number of rows of a page, at least 1
     */
    public Builder pageSize(int rows) {
      pageSize = (int) positive("page size", rows);
      return this;
    }

    private static long positive(String what, long rows) {
      if (rows < 1) {
        throw new IllegalArgumentException(what + " of " + rows + " rows, allowed 1 or more");
      }
      return rows;
    }

    /**
     * Sets the time that decides what has expired. If this is not called, it is the time at which
     * the read begins.
     *
     * @param seconds since 1970, at least 0
     */
    public Builder nowSeconds(long seconds) {
      if (seconds < 0) {
        throw new IllegalArgumentException("present of " + seconds + " s, allowed 0 or more");
      }
      nowSeconds = OptionalLong.of(seconds);
      return this;
    }

    /**
     * Limits the time that a read of the query may take, of one page if there are pages. It begins
     * with the call that opens the rows, and includes the time for which the caller keeps them. A
     * read that takes longer ends with a {@link LiveRows.QueryCancelledException}, also within a
     * step that passes over deletions. The clock is read once in a while; a step that waits for a
     * file ends when the file has answered. If this is not called, a read may take any time.
     *
     * @param limit more than 0, at most 365 days
     */
    public Builder timeout(Duration limit) {
      timeout = Optional.of(Limits.requireTimeout(limit));
      return this;
    }

    /**
     * Returns the query.
     *
     * @throws IllegalArgumentException if restrictions contradict each other; the message lists all
     *     of these contradictions
     */
    public Query build() {
      List<String> problems = new ArrayList<>();
      if (reversed && partitions.key() == null) {
        problems.add("rows of several partitions cannot be reversed");
      }
      if (distinct && (!ranges.isEmpty() || reversed || (split != null && split.isOfRows()))) {
        problems.add("distinct partitions have no rows to restrict or to reverse");
      }
      if (distinct && perPartitionLimit != Integer.MAX_VALUE) {
        problems.add("distinct partitions give one row each, a limit per partition has no meaning");
      }
      partitions.problem().ifPresent(problems::add);
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", problems));
      }
      return new Query(
          table,
          columns(),
          Restriction.of(table, partitions, ranges, split, reversed, distinct),
          new Limits(limit, perPartitionLimit, pageSize, timeout, nowSeconds),
          null);
    }

    private ResultColumns columns() {
      if (distinct) {
        return ResultColumns.ofPartitions(table.schema(), selected);
      }
      return selected == null ? table.allColumns() : ResultColumns.of(table.schema(), selected);
    }
  }
}
