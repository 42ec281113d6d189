/** Tests of monitoring commands. */
@NullMarked
package io.siltstone.tools.monitor;

import org.jspecify.annotations.NullMarked;
