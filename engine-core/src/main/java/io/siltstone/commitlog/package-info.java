/**
 * The public part of the commit log (write-ahead log): its options ({@link
 * io.siltstone.commitlog.CommitLogOptions}, {@link io.siltstone.commitlog.SyncMode}) and the
 * exception that it throws when it has failed.
 *
 * <p>May use no other package of the engine. The log itself, with group commit, replay and the
 * rules of a torn tail, is in {@code commitlog.segment}.
 */
@NullMarked
package io.siltstone.commitlog;

import org.jspecify.annotations.NullMarked;
