/**
 * What becomes of the data of one key: {@link io.siltstone.explain.Explanation} walks through all
 * that memtables and SSTables have of it, unmerged, and says of each deletion, liveness and cell
 * whether a read shows it, what shadows it if not, and whether compaction may forget it. Rules are
 * those of the merge ({@code cursor.Precedence}, {@code cursor.Liveness}, {@code
 * cursor.Forgetting}); tests compare with what reads show and compactions leave.
 */
@NullMarked
package io.siltstone.explain;

import org.jspecify.annotations.NullMarked;
