/**
 * A database's figures and events as meters of Micrometer: {@code DatabaseMetrics} binds them to
 * registries. Safe for all threads.
 */
@NullMarked
package io.siltstone.micrometer;

import org.jspecify.annotations.NullMarked;
