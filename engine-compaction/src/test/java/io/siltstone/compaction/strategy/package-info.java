/** Tests of the strategies, over live tables that are made up. */
@NullMarked
package io.siltstone.compaction.strategy;

import org.jspecify.annotations.NullMarked;
