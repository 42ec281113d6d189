/**
 * Writes as values: mutations, batches and conditions that a service passes to the engine.
 *
 * <p>{@link io.siltstone.mutation.MutationFactory}, of which each table has one, creates a {@link
 * io.siltstone.mutation.MutationBuilder}. The builder collects inserts, updates and deletions of
 * one partition, checks every value against the table at once, and builds a {@link
 * io.siltstone.mutation.Mutation}, which is immutable and in serialized form. Automatic timestamps
 * come from the write clock, {@link io.siltstone.clock.WriteClock}. A {@link
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
 * <p>The operations mean the same as CQL's {@code INSERT}, {@code UPDATE} and {@code DELETE}, and
 * have their names. Values are Java objects of the classes that {@code io.siltstone.type} lists.
 * Mutations, batches and conditions are safe for use by all threads; builders are confined to one.
 * Nothing in this package holds a file or off-heap memory. Ranges of rows are those of {@code
 * rows}.
 */
@NullMarked
package io.siltstone.mutation;

import org.jspecify.annotations.NullMarked;
