/** Damages files at random, and reads them. */
@NullMarked
package io.siltstone.campaigns.damage;

import org.jspecify.annotations.NullMarked;
