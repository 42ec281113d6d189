/** Tests of the strategies over invented SSTables. */
@NullMarked
package io.siltstone.compaction.strategy;

import org.jspecify.annotations.NullMarked;
