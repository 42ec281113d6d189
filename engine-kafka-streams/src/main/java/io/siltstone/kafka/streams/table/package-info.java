/**
 * A state store as an ordered map of byte arrays in one table, together with the offsets up to
 * which it has its changelog: keys of any length, staged changes, atomic commits.
 */
@NullMarked
package io.siltstone.kafka.streams.table;

import org.jspecify.annotations.NullMarked;
