/**
 * Incremental backups: {@link io.siltstone.backup.BackupStore} keeps them in a directory, {@link
 * io.siltstone.backup.BackupWriter} adds one, {@link io.siltstone.backup.BackupView} shows one as
 * the directory of a database, and {@link io.siltstone.backup.BackupRestore} copies one.
 *
 * <p>May use {@code io}, {@code files}, {@code text} and {@code threads}; knows nothing of
 * SSTables. All classes are confined to one thread unless their Javadoc says otherwise. Not
 * exported to users.
 */
@NullMarked
package io.siltstone.backup;

import org.jspecify.annotations.NullMarked;
