/**
 * What an engine has counted and measured, as records: caches, memtables, reads, writes, what
 * flushes and compactions have moved. Those who count lie above; it knows nothing of them.
 */
@NullMarked
package io.siltstone.statistics;

import org.jspecify.annotations.NullMarked;
