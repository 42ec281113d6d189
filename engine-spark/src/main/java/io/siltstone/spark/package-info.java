/**
 * The data source {@code sstable} of Apache Spark: reads SSTables of Cassandra and Siltstone as
 * data frames, and writes data frames as SSTables. {@link io.siltstone.spark.SSTableSource} is
 * found by its name; nothing here is called by users. See {@code docs/spark.md}.
 */
@NullMarked
package io.siltstone.spark;

import org.jspecify.annotations.NullMarked;
