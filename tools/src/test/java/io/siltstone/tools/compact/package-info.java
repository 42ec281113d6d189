/** Tests of the package of the same name. */
@NullMarked
package io.siltstone.tools.compact;

import org.jspecify.annotations.NullMarked;
