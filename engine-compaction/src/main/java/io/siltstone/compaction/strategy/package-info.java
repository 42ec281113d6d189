/**
 * Which SSTables to merge: pure functions from the live tables and the time to jobs. They see
 * neither files nor threads, so that they can be tested, explained and simulated.
 */
@NullMarked
package io.siltstone.compaction.strategy;

import org.jspecify.annotations.NullMarked;
