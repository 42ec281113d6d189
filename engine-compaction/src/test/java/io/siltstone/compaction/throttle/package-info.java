@NullMarked
package io.siltstone.compaction.throttle;

import org.jspecify.annotations.NullMarked;
