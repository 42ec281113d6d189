/** Tests of the compaction service as a whole. */
@NullMarked
package io.siltstone.compaction;

import org.jspecify.annotations.NullMarked;
