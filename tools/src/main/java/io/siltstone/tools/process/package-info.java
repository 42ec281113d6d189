/**
 * JMX access to a running process: an option that names the process, and a connection to its beans.
 * It depends on no command.
 */
@NullMarked
package io.siltstone.tools.process;

import org.jspecify.annotations.NullMarked;
