/** Tests of the experiments on the command line. */
@NullMarked
package io.siltstone.tools.bench;

import org.jspecify.annotations.NullMarked;
