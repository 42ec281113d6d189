/** Tests of stress runs. */
@NullMarked
package io.siltstone.bench.stress;

import org.jspecify.annotations.NullMarked;
