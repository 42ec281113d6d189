/**
 * The clocks of a database: automatic write timestamps ({@link io.siltstone.clock.WriteClock}) and
 * the paths of list elements ({@link io.siltstone.clock.ListPaths}), both of which ascend whatever
 * the clock of the machine does.
 *
 * <p>May use {@code bytes} and {@code type}. All classes are safe for use by all threads. Not
 * exported to users.
 */
@NullMarked
package io.siltstone.clock;

import org.jspecify.annotations.NullMarked;
