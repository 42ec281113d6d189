/** Kills processes at work, and compares what is left with a reference model. */
@NullMarked
package io.siltstone.campaigns.kill;

import org.jspecify.annotations.NullMarked;
