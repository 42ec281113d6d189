/**
 * Publishes figures and events of a database as Micrometer meters: {@code DatabaseMetrics} binds
 * them to registries. Safe for use by all threads.
 */
@NullMarked
package io.siltstone.micrometer;

import org.jspecify.annotations.NullMarked;
