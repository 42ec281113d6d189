/** Kills running processes, and compares what is left of their databases with a reference model. */
@NullMarked
package io.siltstone.campaigns.kill;

import org.jspecify.annotations.NullMarked;
