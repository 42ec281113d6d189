/** A directory of keyspaces as a catalog: its layout, and how tables are created and dropped. */
@NullMarked
package io.siltstone.spark.catalog;

import org.jspecify.annotations.NullMarked;
