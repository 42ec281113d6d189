/** The table that a data source stands for: its options, definition and SSTables. */
@NullMarked
package io.siltstone.spark.table;

import org.jspecify.annotations.NullMarked;
