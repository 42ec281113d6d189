/**
 * Adapters of other storage engines, one class each. They are test code, like their libraries,
 * because nothing of this module is published.
 */
@NullMarked
package io.siltstone.peers;

import org.jspecify.annotations.NullMarked;
