/** Tests of the command line, run in-process. */
@NullMarked
package io.siltstone.tools;

import org.jspecify.annotations.NullMarked;
