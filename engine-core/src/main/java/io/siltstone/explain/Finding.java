package io.siltstone.explain;

import java.util.Optional;

/**
 * One deletion, liveness or cell that a memtable or SSTable has of a key, and what becomes of it.
 *
 * @param source the memtable or SSTable that has it
 * @param item what it is
 * @param location where in the partition it is
 * @param value the value of a cell
 * @param times its timestamp, TTL and deletion time
 * @param verdict whether a read shows it, and if not, why
 * @param shadow what shadows it, if the verdict is {@link Verdict#SHADOWED}
 * @param outcome whether compaction would purge it, and if not, why
 */
public record Finding(
    Source source,
    Item item,
    Location location,
    Value value,
    Times times,
    Verdict verdict,
    Optional<Shadow> shadow,
    PurgeOutcome outcome) {

  /**
   * The location of a finding in its partition.
   *
   * @param isStatic whether it is of the static row
   * @param place the row's clustering in CQL, e.g. {@code (7, 'a')}, or the range of a range
   *     deletion, as much of it as lies within the slices of the query; empty for the partition and
   *     the static row
   * @param column the name of a cell's or collection's column, else empty
   * @param path the key, index or field of a cell of a collection in CQL, else empty
   */
  public record Location(boolean isStatic, String place, String column, String path) {}

  /**
   * The value of a cell.
   *
   * @param text the value in CQL; empty for a tombstone and whatever is no cell
   * @param bytes the size of the serialized value
   */
  public record Value(String text, int bytes) {
    /** The value of a finding that is no cell. */
    public static final Value NONE = new Value("", 0);
  }

  /**
   * The times of a finding.
   *
   * @param timestamp in microseconds
   * @param ttl in seconds, 0 without
   * @param localDeletionTime when it was deleted or expires, in seconds since 1970; {@link
   *     io.siltstone.cursor.DeletionTime#NO_DELETION_TIME} if neither
   */
  public record Times(long timestamp, int ttl, long localDeletionTime) {}

  /**
   * The deletion or newer version that shadows a finding.
   *
   * @param item its kind
   * @param by source that has it
   * @param timestamp in microseconds
   * @param localDeletionTime when it was deleted or expires, in seconds since 1970; {@link
   *     io.siltstone.cursor.DeletionTime#NO_DELETION_TIME} if neither
   */
  public record Shadow(Item item, Source by, long timestamp, long localDeletionTime) {}
}
