/** Simulates compaction strategies on a made-up table ({@code siltstone simulate}). */
@NullMarked
package io.siltstone.tools.simulate;

import org.jspecify.annotations.NullMarked;
