/** Writes: rows of Spark as SSTables, in attempt directories that the driver publishes. */
@NullMarked
package io.siltstone.spark.write;

import org.jspecify.annotations.NullMarked;
