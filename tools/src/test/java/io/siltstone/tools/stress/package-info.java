/** Tests of stress on the command line. */
@NullMarked
package io.siltstone.tools.stress;

import org.jspecify.annotations.NullMarked;
