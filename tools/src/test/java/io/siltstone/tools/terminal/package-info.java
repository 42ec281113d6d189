/** Tests of what commands share. */
@NullMarked
package io.siltstone.tools.terminal;

import org.jspecify.annotations.NullMarked;
