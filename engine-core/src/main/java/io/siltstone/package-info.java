/**
 * The embedded engine: {@code Database}, its tables, and a plain key-value store on top.
 *
 * <pre>{@code
 * try (Database db = Database.open(Path.of("weather"), DatabaseOptions.DEFAULT)) {
 *   Table readings = db.createTable("CREATE TABLE w.readings (station text, at timestamp,"
 *       + " celsius double, PRIMARY KEY (station, at))");
 *   readings.write(readings.mutation("Cologne").insert(now).set("celsius", 21.5).build());
 *   try (LiveRows rows = readings.read(readings.query().partition("Cologne").build())) {
 *     rows.forEachRemaining(row -> ...);
 *   }
 * }
 * }</pre>
 *
 * The values that are given and taken live in the packages of their concepts: mutations in {@code
 * mutation}, queries and rows in {@code rows}, definitions in {@code schema}.
 */
@NullMarked
package io.siltstone;

import org.jspecify.annotations.NullMarked;
