/** Tokens of partition keys as functions of Spark's catalogs, and token ranges of equal size. */
@NullMarked
package io.siltstone.spark.token;

import org.jspecify.annotations.NullMarked;
