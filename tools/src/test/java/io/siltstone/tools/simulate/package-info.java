/** Tests of the simulation on the command line. */
@NullMarked
package io.siltstone.tools.simulate;

import org.jspecify.annotations.NullMarked;
