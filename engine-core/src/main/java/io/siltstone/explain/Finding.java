package io.siltstone.explain;

import java.util.Optional;

/**
 * One deletion, liveness or cell that a memtable or SSTable has of a key, and what becomes of it.
 *
 * @param source memtable or SSTable that has it
 * @param item what it is
 * @param isStatic whether it is of the static row
 * @param place the row's clustering in CQL, e.g. {@code (7, 'a')}, or the range of a range
 *     deletion, as much of it as lies within the slices of the query; empty for the partition and
 *     the static row
 * @param column name of a cell's or collection's column, else empty
 * @param path key, index or field of a cell of a collection in CQL, else empty
 * @param value a cell's value in CQL; empty for a tombstone and whatever is no cell
 * @param valueBytes bytes of the serialized value
 * @param timestamp in microseconds
 * @param ttl in seconds, 0 without
 * @param localDeletionTime when it was deleted or expires, in seconds since 1970; {@link
 *     io.siltstone.cursor.DeletionTime#NO_DELETION_TIME} if neither
 * @param verdict whether a read shows it, and if not, why
 * @param shadow what shadows it, if the verdict is {@link Verdict#SHADOWED}
 * @param outcome whether compaction would purge it, and if not, why
 */
public record Finding(
    Source source,
    Item item,
    boolean isStatic,
    String place,
    String column,
    String path,
    String value,
    int valueBytes,
    long timestamp,
    int ttl,
    long localDeletionTime,
    Verdict verdict,
    Optional<Shadow> shadow,
    PurgeOutcome outcome) {}
