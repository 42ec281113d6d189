/** Tests of {@code siltstone dump}. */
@NullMarked
package io.siltstone.tools.dump;

import org.jspecify.annotations.NullMarked;
