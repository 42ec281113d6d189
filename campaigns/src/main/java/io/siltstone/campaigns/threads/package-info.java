/** Interrupts thousands of virtual threads at work. */
@NullMarked
package io.siltstone.campaigns.threads;

import org.jspecify.annotations.NullMarked;
