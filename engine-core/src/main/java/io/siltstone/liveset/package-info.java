/**
 * Which SSTables of a table's directory are live, and how that changes: atomically, durably, and
 * without disturbing those who read.
 *
 * <p>{@code LiveSet} is the entry. Readers take a {@code View}; a flush, a compaction, an import or
 * a truncation is a {@code Transaction}, recorded on disk by a {@code TransactionLog} in
 * Cassandra's form, which {@code Recovery} reads when a directory is opened.
 */
@NullMarked
package io.siltstone.liveset;

import org.jspecify.annotations.NullMarked;
