/**
 * Loads and exports rows as text: {@code load} makes an SSTable of JSON lines or CSV, {@code
 * export} prints the live rows of a table in the form that {@code load} reads.
 *
 * <p>The entry classes are {@link io.siltstone.tools.load.LoadCommand} and {@link
 * io.siltstone.tools.load.ExportCommand}. {@code Loader} passes text → {@code RowBuilder} → {@code
 * BulkWriter}; {@code Exporter} passes {@code OutputRows} → text. Everything is confined to the
 * thread of its command.
 */
@NullMarked
package io.siltstone.tools.load;

import org.jspecify.annotations.NullMarked;
