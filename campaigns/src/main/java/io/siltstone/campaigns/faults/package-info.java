/** Lets each file operation of a scripted run fail, one after the other. */
@NullMarked
package io.siltstone.campaigns.faults;

import org.jspecify.annotations.NullMarked;
