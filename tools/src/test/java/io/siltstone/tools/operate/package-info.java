/** Tests. */
@NullMarked
package io.siltstone.tools.operate;

import org.jspecify.annotations.NullMarked;
