/** Tests of measurements in JVMs of their own. */
@NullMarked
package io.siltstone.bench.child;

import org.jspecify.annotations.NullMarked;
