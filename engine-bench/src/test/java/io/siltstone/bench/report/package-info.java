/** Tests of reports and charts. */
@NullMarked
package io.siltstone.bench.report;

import org.jspecify.annotations.NullMarked;
