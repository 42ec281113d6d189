/**
 * Explains what becomes of the data of one key: {@link io.siltstone.explain.walk.Explanation} walks
 * through the unmerged data that memtables and SSTables have of it. It says of each deletion,
 * liveness and cell whether a read shows it, what shadows it if not, and whether a compaction would
 * purge it.
 *
 * <p>The rules are those of the merge ({@code cursor.VersionSelector}, {@code
 * cursor.ConflictRules}, {@code cursor.Liveness}, {@code cursor.Purgeability}); tests compare the
 * findings with what reads show and what compactions leave. All classes are confined to one thread.
 * Not exported to users.
 */
@NullMarked
package io.siltstone.explain.walk;

import org.jspecify.annotations.NullMarked;
