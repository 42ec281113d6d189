/**
 * Writes the engine's log to standard error, like the errors of a command. SLF4J finds the provider
 * through its service interface.
 */
@NullMarked
package io.siltstone.tools.log;

import org.jspecify.annotations.NullMarked;
