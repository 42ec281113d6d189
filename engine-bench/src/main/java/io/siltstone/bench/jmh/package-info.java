/**
 * JMH benchmarks of the hot paths: chunks, SSTables, point reads, merging, memtables, the commit
 * log. Run them with {@code -prof gc}. All rows are text of about 800 bytes; files are in the page
 * cache.
 */
@NullMarked
package io.siltstone.bench.jmh;

import org.jspecify.annotations.NullMarked;
