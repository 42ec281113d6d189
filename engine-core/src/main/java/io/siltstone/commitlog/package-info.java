/**
 * What users say of the commit log ({@link io.siltstone.commitlog.CommitLogOptions}, {@link
 * io.siltstone.commitlog.SyncMode}), and the exception with which it fails.
 *
 * <p>May use no other package of the engine. The log itself is in {@code commitlog.segment}.
 */
@NullMarked
package io.siltstone.commitlog;

import org.jspecify.annotations.NullMarked;
