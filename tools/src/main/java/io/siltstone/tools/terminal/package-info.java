/**
 * What commands share: output, exit codes, common options, and how they find and open files. It
 * depends on no command.
 */
@NullMarked
package io.siltstone.tools.terminal;

import org.jspecify.annotations.NullMarked;
