/**
 * JMH benchmarks of the hot paths, to be run with {@code -prof gc}: chunks, SSTables, point reads,
 * merging, memtables, the commit log. All rows are text of about 800 bytes; files are in the page
 * cache.
 */
@NullMarked
package io.siltstone.bench.jmh;

import org.jspecify.annotations.NullMarked;
