package io.siltstone.backup;

/**
 * One file of a database in a backup. Immutable.
 *
 * @param path within the database, with slashes
 * @param length in bytes
 * @param sha256 hash of its content in hexadecimal, by which the content is stored
 * @param modifiedMillis when its content had changed last, in milliseconds since 1970
 */
record BackupFile(String path, long length, String sha256, long modifiedMillis) {}
