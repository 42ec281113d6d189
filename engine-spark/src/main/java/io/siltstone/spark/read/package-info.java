/** Reads: what is pushed down to the engine, how a table is divided, and batches of columns. */
@NullMarked
package io.siltstone.spark.read;

import org.jspecify.annotations.NullMarked;
