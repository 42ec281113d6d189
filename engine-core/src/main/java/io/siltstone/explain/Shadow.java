package io.siltstone.explain;

/**
 * What takes the place of something.
 *
 * @param item what it is
 * @param by where it lies
 * @param timestamp in microseconds
 * @param localDeletionTime when it was deleted or expires, in seconds since 1970; {@link
 *     io.siltstone.cursor.DeletionTime#NO_DELETION_TIME} if neither
 */
public record Shadow(Item item, Source by, long timestamp, long localDeletionTime) {}
