/**
 * The catalog: which tables a database has. Each has a directory, in Cassandra's layout {@code
 * data/KEYSPACE/TABLE-ID/}, and is defined by the {@code schema.cql} in it.
 *
 * <p>{@link io.siltstone.catalog.Catalog} is the entry class: it finds tables, and creates, alters
 * and drops them so that a crash leaves the old or the new state. It uses schemas and file names,
 * and does not read SSTables.
 *
 * <p>The owner of a catalog serializes changes. Not exported.
 */
@NullMarked
package io.siltstone.catalog;

import org.jspecify.annotations.NullMarked;
