/**
 * Statistics of an engine as records: caches, memtables, reads, writes, and the traffic of flushes
 * and compactions. The classes that count are in the packages above; this one does not depend on
 * them.
 */
@NullMarked
package io.siltstone.statistics;

import org.jspecify.annotations.NullMarked;
