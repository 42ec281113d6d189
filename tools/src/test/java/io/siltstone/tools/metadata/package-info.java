/** Tests of {@code siltstone metadata}. */
@NullMarked
package io.siltstone.tools.metadata;

import org.jspecify.annotations.NullMarked;
