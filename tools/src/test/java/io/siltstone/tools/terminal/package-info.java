/** Tests of the simulation on the command line. */
@NullMarked
package io.siltstone.tools.terminal;

import org.jspecify.annotations.NullMarked;
