/** Tests of the compactor as a whole. */
@NullMarked
package io.siltstone.compaction;

import org.jspecify.annotations.NullMarked;
