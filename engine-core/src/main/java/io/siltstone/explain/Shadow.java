package io.siltstone.explain;

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
