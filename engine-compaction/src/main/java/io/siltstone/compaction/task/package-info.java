/**
 * One job: reads its inputs, merges them, forgets what may be forgotten, writes, checks, commits.
 */
@NullMarked
package io.siltstone.compaction.task;

import org.jspecify.annotations.NullMarked;
