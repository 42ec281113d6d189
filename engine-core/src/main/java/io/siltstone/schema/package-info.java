/**
 * Tables as {@code CREATE TABLE} defines them: columns, user types, options.
 *
 * <p>{@code TableSchema} is the entry, {@code SchemaParser} reads it from CQL text. Immutable, safe
 * for all threads.
 */
@NullMarked
package io.siltstone.schema;

import org.jspecify.annotations.NullMarked;
