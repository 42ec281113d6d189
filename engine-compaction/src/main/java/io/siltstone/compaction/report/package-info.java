/**
 * Reports of compaction jobs: what was read, written and purged. Immutable, safe for all threads.
 */
@NullMarked
package io.siltstone.compaction.report;

import org.jspecify.annotations.NullMarked;
