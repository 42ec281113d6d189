/**
 * The values that writes are made of: what a service hands to the engine.
 *
 * <p>{@link io.siltstone.mutation.MutationFactory}, of which each table has one, begins a {@link
 * io.siltstone.mutation.MutationBuilder}; it collects inserts, updates and deletions of one
 * partition, checks every value against the table when it is given, and ends in a {@link
 * io.siltstone.mutation.Mutation}: immutable and in serialized form. A {@link
 * io.siltstone.mutation.Batch} holds mutations of several partitions and tables; {@link
 * io.siltstone.mutation.Condition}s make a write depend on the present row.
 *
 * <pre>{@code
 * Mutation order =
 *     orders
 *         .mutation("alice")
 *         .set("address", "12 Elm Street")       // a static column
 *         .insert(LocalDate.of(2024, 5, 1), 7)    // a row, named by its clustering
 *         .set("total", new BigDecimal("9.99"))
 *         .append("items", List.of("tea", "milk"))
 *         .build();
 * }</pre>
 *
 * <p>Meaning is that of CQL's {@code INSERT}, {@code UPDATE} and {@code DELETE}, which the names
 * follow. Values are Java objects of the classes that {@code io.siltstone.type} lists. Built values
 * are safe for all threads, builders confined to one. Nothing here holds a file or off-heap memory.
 * Ranges of rows are those of {@code rows}.
 */
@NullMarked
package io.siltstone.mutation;

import org.jspecify.annotations.NullMarked;
