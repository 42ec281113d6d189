/** Tests of {@code siltstone log}. */
@NullMarked
package io.siltstone.tools.log;

import org.jspecify.annotations.NullMarked;
