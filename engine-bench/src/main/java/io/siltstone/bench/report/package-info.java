/**
 * Reports of measurements: the machine and command line, tables, charts; as one HTML page, as
 * Markdown with the charts beside it, and as JSON with the raw figures.
 *
 * <p>Begin with {@link io.siltstone.bench.report.Report#builder}. {@code HtmlWriter} and {@code
 * JsonDocument} are the only writers of HTML and JSON; the commands use them as well. This package
 * depends on nothing that is measured.
 */
@NullMarked
package io.siltstone.bench.report;

import org.jspecify.annotations.NullMarked;
