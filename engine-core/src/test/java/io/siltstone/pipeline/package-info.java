/** Data files read ahead and written behind, as whole files: what threads do may change nothing. */
@NullMarked
package io.siltstone.pipeline;

import org.jspecify.annotations.NullMarked;
