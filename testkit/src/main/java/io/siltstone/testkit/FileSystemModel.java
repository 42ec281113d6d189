package io.siltstone.testkit;

/**
 * What a file system may do to names that were not synced when the power went. (What happens to the
 * content of files is the same in all: see {@link SimulatedDisk}.)
 */
public enum FileSystemModel {
  /**
   * Changes of names are journaled in order, over all directories, as ext4 and XFS do: after a
   * power loss those up to some point have happened and none behind it, and a rename has happened
   * wholly or not at all. Syncing any directory makes all changes before it durable.
   */
  JOURNALED,
  /**
   * Changes of names reach the disk one by one in any order, as in ext2: after a power loss each
   * name is in any one of the states it had since its directory was last synced, whatever the
   * others are. So of a rename both names may be there, or neither, but the new name is never a
   * mixture of two files. Syncing a directory makes the changes of that one durable.
   */
  UNORDERED
}
