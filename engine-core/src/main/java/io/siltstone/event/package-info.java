/**
 * The events of an engine: {@code EngineListener} and its records, and the report of a table's
 * opening ({@code RecoveryReport}). The package is below all packages that have events; the records
 * name tables by schema and descriptor.
 */
@NullMarked
package io.siltstone.event;

import org.jspecify.annotations.NullMarked;
