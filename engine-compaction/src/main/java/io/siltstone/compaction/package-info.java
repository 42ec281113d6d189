/** The entry of the compaction module. */
@NullMarked
package io.siltstone.compaction;

import org.jspecify.annotations.NullMarked;
