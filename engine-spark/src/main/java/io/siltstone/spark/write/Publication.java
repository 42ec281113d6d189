package io.siltstone.spark.write;

import io.siltstone.spark.files.Storage;
import java.util.Optional;

/**
 * The way in which the driver makes what tasks have written part of a table.
 *
 * @param storage of its directory
 * @param overwrites whether it replaces what is there
 * @param nodes get what the nodes of a cluster own; empty for none
 */
record Publication(Storage storage, boolean overwrites, Optional<NodeDirectories> nodes) {}
