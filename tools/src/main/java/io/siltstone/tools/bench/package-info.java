/** Runs the published experiments on this machine ({@code siltstone bench}). */
@NullMarked
package io.siltstone.tools.bench;

import org.jspecify.annotations.NullMarked;
