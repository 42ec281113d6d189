package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;

/**
 * A disk in memory that loses power.
 *
 * <p>It works as any directory until {@link #powerLoss(long)}, {@link #processDeath()} or {@link
 * #crashAfter(long)}; from then on every operation on it and its open files fails with a {@link
 * PowerLossException}, but for closing. {@code powerLoss} gives the disk as it is found after the
 * next start: one of the many states the file system was allowed to leave, drawn by a seed, so that
 * several seeds may be tried on one lost disk.
 *
 * <p>The model. Of the content of a file, what was written before its last sync (or truncate, or
 * the last start) is there. Of what was written since, per file independently of its name:
 *
 * <ul>
 *   <li>nothing; or everything;
 *   <li>or a beginning, cut where a write had ended or at a sector (512 bytes);
 *   <li>or the full or a cut length, but any sectors of it were never written: they are zeros or,
 *       in {@link FileSystemModel#UNORDERED}, sometimes noise. A sector is written wholly or not at
 *       all; of one that was durable in part, that part stays.
 * </ul>
 *
 * Names made, renamed, linked and deleted since the last sync of their directory are found as
 * {@link FileSystemModel} says. Syncing a file does not make its name durable, nor does syncing a
 * directory make its files' content so. Locks do not outlive the power.
 *
 * <p>The clock that stamps files goes on by a second with each operation, and not with real time.
 *
 * <p>Files have 2 GiB at most, usable space is not limited. Safe for all threads.
 */
public final class SimulatedDisk extends ForwardingDirectory {
  private final SimulatedFileSystem fileSystem;
  private final Directory root;

  /** An empty disk with {@link FileSystemModel#JOURNALED}. */
  public SimulatedDisk() {
    this(FileSystemModel.JOURNALED);
  }

  /** An empty disk. */
  public SimulatedDisk(FileSystemModel model) {
    this(new SimulatedFileSystem(model));
  }

  private SimulatedDisk(SimulatedFileSystem fileSystem) {
    this(fileSystem, fileSystem.root());
  }

  private SimulatedDisk(SimulatedFileSystem fileSystem, Directory root) {
    super(root);
    this.fileSystem = fileSystem;
    this.root = root;
  }

  /**
   * Takes the power away, if it is still there, and gives a disk as it may be found afterwards.
   *
   * @param seed draws what of the unsynced is left; the same seed gives the same disk
   */
  public SimulatedDisk powerLoss(long seed) {
    return new SimulatedDisk(fileSystem.powerLoss(seed));
  }

  /**
   * Ends the process that uses the disk, and leaves the disk its power: every operation on this one
   * fails from now on, as after a power loss, and the disk that is given has all that was written,
   * synced or not. It counts as synced there.
   */
  public SimulatedDisk processDeath() {
    return new SimulatedDisk(fileSystem.processDeath());
  }

  /**
   * Takes the power away before the operation after next {@code operations} ones.
   *
   * @param operations how many operations that change the disk (see {@link #operations()}) still
   *     succeed, 0 or more
   */
  public void crashAfter(long operations) {
    if (operations < 0) {
      throw new IllegalArgumentException(
          "crash after " + operations + " operations, allowed 0 and more");
    }
    fileSystem.crashAfter(operations);
  }

  /**
   * Operations that changed the disk since its start: all but reading, opening, listing and looking
   * up. What failed for another reason than the power is counted too.
   */
  public long operations() {
    return fileSystem.operations();
  }

  /** Whether the power is gone. */
  public boolean isLost() {
    return fileSystem.isLost();
  }

  /** The last operation that happened and the one the power loss prevented, for messages. */
  public String lastOperations() {
    return fileSystem.lastOperations();
  }

  /** The file system's view of a directory, be it a disk or a directory of one. */
  static Directory unwrap(Directory directory) {
    return directory instanceof SimulatedDisk disk ? disk.root : directory;
  }
}
