/**
 * The comparison of index formats: the same measurements of one engine with SSTables of one
 * version.
 */
@NullMarked
package io.siltstone.bench.index;

import org.jspecify.annotations.NullMarked;
