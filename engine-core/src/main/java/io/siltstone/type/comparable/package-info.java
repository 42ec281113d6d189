/**
 * Byte-comparable encodings: a form of every value whose unsigned bytes have the order of its type,
 * so that keys of any types can be stored in a trie. The form is that of Cassandra 5, whose indexes
 * on disk contain it.
 *
 * <p>A {@link io.siltstone.type.comparable.ComparableType} appends the form of a serialized value
 * to {@link io.siltstone.type.comparable.ComparableBytes}, which grow as needed and are reused.
 * Values are read in place; only a {@code decimal} of more than eight bytes allocates. Source:
 * Cassandra {@code utils.bytecomparable}, version {@code OSS50}, whose document {@code
 * ByteComparable.md} explains why the forms are ordered as their values are.
 */
@NullMarked
package io.siltstone.type.comparable;

import org.jspecify.annotations.NullMarked;
