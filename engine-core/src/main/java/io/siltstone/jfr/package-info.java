/**
 * The engine's events in Java Flight Recorder, category "Siltstone": flushes, compactions, misses
 * of the chunk cache, slow reads, damaged files. They hold names and numbers alone and know nothing
 * of the engine. Without a recording that wants them they cost nothing worth counting.
 */
@NullMarked
package io.siltstone.jfr;

import org.jspecify.annotations.NullMarked;
