/**
 * Rows as text: {@code load} makes a table of JSON lines or CSV, {@code export} prints a table's
 * live rows in the form that {@code load} takes back.
 *
 * <p>{@link io.siltstone.tools.load.LoadCommand} and {@link io.siltstone.tools.load.ExportCommand}
 * are the entries; {@code Loader} and {@code Exporter} do the work: text → {@code RowBuilder} →
 * {@code RecordSorter} → {@code TableOutput}, and {@code OutputRows} → text. Everything is confined
 * to the thread of its command.
 */
@NullMarked
package io.siltstone.tools.load;

import org.jspecify.annotations.NullMarked;
