/** Where SSTables lie: directories of the machine or of Hadoop, and the listing of a job. */
@NullMarked
package io.siltstone.spark.files;

import org.jspecify.annotations.NullMarked;
