/**
 * What commands share: where they print to, their exit codes, how they find the files they are
 * asked for. Knows no command.
 */
@NullMarked
package io.siltstone.tools.terminal;

import org.jspecify.annotations.NullMarked;
