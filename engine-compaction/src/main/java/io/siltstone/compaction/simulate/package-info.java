/** The strategies over live tables that are made up: amplification at any scale, without files. */
@NullMarked
package io.siltstone.compaction.simulate;

import org.jspecify.annotations.NullMarked;
