/**
 * The engine's events in Java Flight Recorder, category "Siltstone": flushes, compactions, misses
 * of the chunk cache, slow reads, damaged files. They contain only names and numbers. Without a
 * recording their cost is negligible.
 */
@NullMarked
package io.siltstone.jfr;

import org.jspecify.annotations.NullMarked;
