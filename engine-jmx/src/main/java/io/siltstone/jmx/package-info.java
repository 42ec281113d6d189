/** Managed beans: what an operator sees of a database in a running process, and can ask of it. */
@NullMarked
package io.siltstone.jmx;

import org.jspecify.annotations.NullMarked;
