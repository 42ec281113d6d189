/**
 * Helpers of the engine for files and directories: small text files that are replaced as a whole,
 * copies, lock files, names that survive a power loss, and the guard that is checked before a
 * change.
 *
 * <p>May use {@code io} and nothing else. Entry classes: {@link io.siltstone.files.TextFile} and
 * {@link io.siltstone.files.LockFile}. All classes are safe for use by all threads unless their
 * Javadoc says otherwise. Not exported to users.
 */
@NullMarked
package io.siltstone.files;

import org.jspecify.annotations.NullMarked;
