/**
 * What an engine tells those who watch it: {@code EngineListener} and its records, and what was
 * found when a table was opened ({@code RecoveryReport}). Lies below all packages that have
 * something to tell; the records name tables by schema and descriptor.
 */
@NullMarked
package io.siltstone.event;

import org.jspecify.annotations.NullMarked;
