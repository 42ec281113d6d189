/**
 * Reports of measurements that stand by themselves: what was run where, tables, charts; as one HTML
 * page, as Markdown with the charts beside it, and as JSON with the raw figures.
 *
 * <p>Begin with {@link io.siltstone.bench.report.Report#builder}. Charts are drawn here, on SVG or
 * an image: so their text stays text, they follow the reader's light or dark scheme, and the same
 * figures give the same bytes everywhere. Knows nothing of what was measured.
 */
@NullMarked
package io.siltstone.bench.report;

import org.jspecify.annotations.NullMarked;
