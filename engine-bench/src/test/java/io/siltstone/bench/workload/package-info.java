/** Tests of profiles and of running them. */
@NullMarked
package io.siltstone.bench.workload;

import org.jspecify.annotations.NullMarked;
