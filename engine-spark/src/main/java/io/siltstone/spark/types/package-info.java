/** Types of CQL as types of Spark, and their values in both directions. */
@NullMarked
package io.siltstone.spark.types;

import org.jspecify.annotations.NullMarked;
