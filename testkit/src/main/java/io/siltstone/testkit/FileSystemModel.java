package io.siltstone.testkit;

/**
 * What a file system may do to names that were not synced before a power loss. (The content of
 * files behaves in the same way in all models; see {@link SimulatedDisk}.)
 */
public enum FileSystemModel {
  /**
   * Changes of names are journaled in order, over all directories, as in ext4 and XFS. After a
   * power loss, the changes up to some point have happened and none after it, and a rename has
   * happened completely or not at all. Syncing any directory makes all changes before it durable.
   */
  JOURNALED,
  /**
   * Changes of names reach the disk one by one in any order, as in ext2. After a power loss, each
   * name is in any one of the states it had since its directory was last synced, independently of
   * others. So after a rename there may be both names or neither, but the new name is never a
   * mixture of two files. Syncing a directory makes the changes in that directory durable.
   */
  UNORDERED
}
