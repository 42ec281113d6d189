/** The command line: one class per command, and what they share. */
@NullMarked
package io.siltstone.tools;

import org.jspecify.annotations.NullMarked;
