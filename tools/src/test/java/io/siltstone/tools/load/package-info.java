/** Tests of load and export. */
@NullMarked
package io.siltstone.tools.load;

import org.jspecify.annotations.NullMarked;
