/** Meters of a database, for any registry of Micrometer. */
@NullMarked
package io.siltstone.micrometer;

import org.jspecify.annotations.NullMarked;
