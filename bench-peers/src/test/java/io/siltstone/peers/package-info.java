/**
 * Other engines as peers of the comparison, one class each. They are test code, as are their
 * libraries: nothing of this module is published.
 */
@NullMarked
package io.siltstone.peers;

import org.jspecify.annotations.NullMarked;
