/** Interrupts thousands of running virtual threads. */
@NullMarked
package io.siltstone.campaigns.threads;

import org.jspecify.annotations.NullMarked;
