@NullMarked
package io.siltstone.bench.compaction;

import org.jspecify.annotations.NullMarked;
