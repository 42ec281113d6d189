/** Tests of the limited volume, on machines that are made up. */
@NullMarked
package io.siltstone.bench.volume;

import org.jspecify.annotations.NullMarked;
