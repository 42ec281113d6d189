package io.siltstone.model;

import org.jspecify.annotations.Nullable;

/**
 * One statement about a partition.
 *
 * @param timestamp in microseconds; null for that of the clock
 * @param ttl in seconds, 0 for never; null for the table's default
 */
public record Step(@Nullable Long timestamp, @Nullable Integer ttl, Action action) {}
