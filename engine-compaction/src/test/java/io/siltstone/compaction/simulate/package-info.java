/** Tests of the simulation. */
@NullMarked
package io.siltstone.compaction.simulate;

import org.jspecify.annotations.NullMarked;
