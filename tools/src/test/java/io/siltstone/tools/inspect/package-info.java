/** Tests of the package of the same name. */
@NullMarked
package io.siltstone.tools.inspect;

import org.jspecify.annotations.NullMarked;
