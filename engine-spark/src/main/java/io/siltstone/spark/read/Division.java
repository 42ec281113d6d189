package io.siltstone.spark.read;

import io.siltstone.spark.token.TokenRanges;
import java.util.Optional;

/**
 * The rules by which what a scan reads is divided among tasks.
 *
 * @param splitBytes the size of the data that a task reads, before compression
 * @param tokens of the partitions that are read
 * @param ranges of which no task reads more than one; empty for no such rule
 * @param skipsDamage whether a table whose index is damaged is read by one task
 */
record Division(
    long splitBytes, TokenBounds tokens, Optional<TokenRanges> ranges, boolean skipsDamage) {}
