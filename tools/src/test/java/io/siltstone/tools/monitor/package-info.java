/** Tests. */
@NullMarked
package io.siltstone.tools.monitor;

import org.jspecify.annotations.NullMarked;
