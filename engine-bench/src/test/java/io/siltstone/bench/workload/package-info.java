/** Tests of profiles and of the load. */
@NullMarked
package io.siltstone.bench.workload;

import org.jspecify.annotations.NullMarked;
