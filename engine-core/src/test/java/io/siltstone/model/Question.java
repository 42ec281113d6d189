package io.siltstone.model;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A {@code SELECT}.
 *
 * @param rows of any of these; all if there are none
 * @param select static and regular columns; null for all
 * @param limit {@link Integer#MAX_VALUE} for none
 * @param perPartitionLimit {@link Integer#MAX_VALUE} for none
 * @param pageSize {@link Integer#MAX_VALUE} for all at once
 * @param now seconds since 1970, if it is not that of the clock
 */
public record Question(
    String table,
    Partitions partitions,
    List<Rows> rows,
    boolean reversed,
    boolean distinct,
    @Nullable List<String> select,
    int limit,
    int perPartitionLimit,
    int pageSize,
    OptionalLong now) {

  /** Which partitions. */
  public sealed interface Partitions {
    /** All. */
    record All() implements Partitions {}

    /** One. */
    record One(List<Object> key) implements Partitions {}

    /** From the token of a key to that of another, both included. */
    record Tokens(@Nullable List<Object> first, @Nullable List<Object> last)
        implements Partitions {}

    /** From a key to another, in the order of their bytes. */
    record Keys(
        @Nullable List<Object> from,
        boolean fromIncluded,
        @Nullable List<Object> to,
        boolean toIncluded)
        implements Partitions {}
  }

  /** Everything of a table. */
  public static Question all(String table) {
    return new Question(
        table,
        new Partitions.All(),
        List.of(),
        false,
        false,
        null,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        OptionalLong.empty());
  }

  /** Everything of one partition. */
  public static Question of(String table, List<Object> key, boolean reversed) {
    return new Question(
        table,
        new Partitions.One(key),
        List.of(),
        reversed,
        false,
        null,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        OptionalLong.empty());
  }

  /** With other rows. */
  public Question withRows(List<Rows> other) {
    return new Question(
        table,
        partitions,
        other,
        reversed,
        distinct,
        select,
        limit,
        perPartitionLimit,
        pageSize,
        now);
  }
}
