/**
 * The command line {@code siltstone}: entry class {@link io.siltstone.tools.Siltstone}, one class
 * per command. Confined to the thread that runs the command.
 */
@NullMarked
package io.siltstone.tools;

import org.jspecify.annotations.NullMarked;
