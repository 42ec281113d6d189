/**
 * Which tables a database has: a directory for each, in Cassandra's layout {@code
 * data/KEYSPACE/TABLE-ID/}, described by the {@code schema.cql} in it.
 *
 * <p>{@link io.siltstone.catalog.Catalog} finds them, and creates, alters and drops them so that a
 * crash leaves the old or the new state. It knows schemas and names, not what is in the files.
 */
@NullMarked
package io.siltstone.catalog;

import org.jspecify.annotations.NullMarked;
