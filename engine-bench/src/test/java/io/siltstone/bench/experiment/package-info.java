/** Tests of the experiments, in a size of seconds. */
@NullMarked
package io.siltstone.bench.experiment;

import org.jspecify.annotations.NullMarked;
