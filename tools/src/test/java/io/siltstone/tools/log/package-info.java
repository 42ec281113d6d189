/** Tests of logging to standard error. */
@NullMarked
package io.siltstone.tools.log;

import org.jspecify.annotations.NullMarked;
