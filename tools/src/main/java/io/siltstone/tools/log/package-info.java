/**
 * Where what the engine logs goes: to standard error, as the errors of a command do. Found by
 * SLF4J.
 */
@NullMarked
package io.siltstone.tools.log;

import org.jspecify.annotations.NullMarked;
