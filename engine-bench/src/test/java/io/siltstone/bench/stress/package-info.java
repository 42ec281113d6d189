/** Tests of stress. */
@NullMarked
package io.siltstone.bench.stress;

import org.jspecify.annotations.NullMarked;
