/**
 * {@code siltstone stress}: a profile against a database on this machine, with a table of figures
 * while it runs and a report at its end. What runs is {@link io.siltstone.bench.stress.Stress}.
 */
@NullMarked
package io.siltstone.tools.stress;

import org.jspecify.annotations.NullMarked;
