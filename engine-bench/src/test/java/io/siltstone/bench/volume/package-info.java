/** Tests of the limited volume, on simulated machines. */
@NullMarked
package io.siltstone.bench.volume;

import org.jspecify.annotations.NullMarked;
