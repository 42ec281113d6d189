/**
 * CQL types, which encode, decode and compare values, and format and parse them as CQL and
 * Cassandra's tools do.
 *
 * <p>{@link io.siltstone.type.CqlType} is the entry, {@link io.siltstone.type.CqlTypes} has the
 * types and {@link io.siltstone.type.TypeParser} reads their names from files. Everything here is
 * immutable and safe for all threads.
 *
 * <p>Java's classes of the values: {@link io.siltstone.type.CqlType#decode} returns the first,
 * {@link io.siltstone.type.CqlType#encode} takes all, and for every type a {@code String} with what
 * stands in a CQL literal ({@code "2024-01-01"}, {@code "1h30m"}, {@code "0xff"}, {@code "[1,
 * 2]"}).
 *
 * <table>
 *   <caption>Classes by type</caption>
 *   <tr><th>type</th><th>classes</th></tr>
 *   <tr><td>boolean</td><td>Boolean</td></tr>
 *   <tr><td>tinyint, smallint, int, bigint, varint, counter</td>
 *     <td>Byte, Short, Integer, Long, BigInteger, Long; any of these whose number fits</td></tr>
 *   <tr><td>float, double</td>
 *     <td>Float, Double; the other one or an integer if nothing is rounded; a double takes any
 *       Float</td></tr>
 *   <tr><td>decimal</td><td>BigDecimal; an integer</td></tr>
 *   <tr><td>text, ascii</td><td>String</td></tr>
 *   <tr><td>blob</td><td>byte[]</td></tr>
 *   <tr><td>uuid, timeuuid</td><td>UUID</td></tr>
 *   <tr><td>timestamp</td><td>Instant, of which what is finer than a millisecond is dropped</td></tr>
 *   <tr><td>date</td><td>LocalDate</td></tr>
 *   <tr><td>time</td><td>LocalTime</td></tr>
 *   <tr><td>duration</td><td>{@link io.siltstone.type.CqlDuration}</td></tr>
 *   <tr><td>inet</td><td>InetAddress</td></tr>
 *   <tr><td>list, vector</td><td>List; for a vector of floats float[]</td></tr>
 *   <tr><td>set</td><td>Set; any Collection, of which doubles are dropped</td></tr>
 *   <tr><td>map</td><td>Map</td></tr>
 *   <tr><td>tuple, composite</td>
 *     <td>List, for a tuple with nulls; it may be shorter than the type</td></tr>
 *   <tr><td>user type</td><td>Map from field name to value, nulls or fields not there allowed</td></tr>
 *   <tr><td>empty</td><td>none</td></tr>
 * </table>
 */
@NullMarked
package io.siltstone.type;

import org.jspecify.annotations.NullMarked;
