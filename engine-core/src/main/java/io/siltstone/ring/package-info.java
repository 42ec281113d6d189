/** The token ranges of a cluster and the nodes that own them. */
@NullMarked
package io.siltstone.ring;

import org.jspecify.annotations.NullMarked;
