/** {@code siltstone bench}: the published experiments on this machine. */
@NullMarked
package io.siltstone.tools.bench;

import org.jspecify.annotations.NullMarked;
