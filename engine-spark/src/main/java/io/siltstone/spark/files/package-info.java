/**
 * Finds and opens the directories of SSTables, of the machine or of Hadoop, as a job has listed
 * them.
 */
@NullMarked
package io.siltstone.spark.files;

import org.jspecify.annotations.NullMarked;
