/**
 * How commands ask a running process: an option that names it, and a connection to its beans. Knows
 * no command, and not what is asked.
 */
@NullMarked
package io.siltstone.tools.process;

import org.jspecify.annotations.NullMarked;
