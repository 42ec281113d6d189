/**
 * What every {@link io.siltstone.io.Directory} promises, as tests. In a package of its own, so that
 * other modules' tests can run it on their directories.
 */
@NullMarked
package io.siltstone.io.contract;

import org.jspecify.annotations.NullMarked;
