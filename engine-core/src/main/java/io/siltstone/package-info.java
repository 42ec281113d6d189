/**
 * The entry to the embedded engine: a {@link io.siltstone.Database} with its {@link
 * io.siltstone.Table}s, and a {@link io.siltstone.KeyValueStore} for those who need no more than
 * keys and values.
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
 * <p>Options are in {@link io.siltstone.DatabaseOptions}. The SSTables of one table can be
 * compacted without a database as an {@link io.siltstone.OfflineTable}.
 *
 * <p>Types in signatures live in the package of their concept: mutations in {@code mutation},
 * queries and rows in {@code rows}, table definitions in {@code schema}, requests for compaction in
 * {@code spi}.
 *
 * <p>{@code Database}, {@code Table}, {@code KeyValueStore} and {@code OfflineTable} are safe for
 * use by any number of threads. What a caller opens it must close.
 */
@NullMarked
package io.siltstone;

import org.jspecify.annotations.NullMarked;
