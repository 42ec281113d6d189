/** {@code siltstone simulate}: what a compaction strategy makes of a table that is made up. */
@NullMarked
package io.siltstone.tools.simulate;

import org.jspecify.annotations.NullMarked;
