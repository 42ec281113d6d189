package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingDirectory;

/**
 * A disk in memory that can lose power.
 *
 * <p>It works like any directory until {@link #powerLoss(long)}, {@link #processDeath()} or {@link
 * #crashAfter(long)}. From then on every operation on it and its open files fails with a {@link
 * PowerLossException}, except closing. {@code powerLoss} returns the disk as it is found after the
 * next start: one of the many states that the file system was allowed to leave, drawn by a seed, so
 * that several seeds can be tried on one lost disk.
 *
 * <p>The model: Of the content of a file, what was written before its last sync (or truncate, or
 * the last start) is there. What was written since is, for each file independently of its name,
 *
 * <ul>
 *   <li>missing, or complete;
 *   <li>or cut to a beginning, where a write had ended or at a sector (512 bytes);
 *   <li>or of full or cut length, but any sectors of it were never written: they are zeros or, in
 *       {@link FileSystemModel#UNORDERED}, sometimes noise. A sector is written completely or not
 *       at all; if it was partly durable, that part stays.
 * </ul>
 *
 * Names that were created, renamed, linked and deleted since the last sync of their directory are
 * found as {@link FileSystemModel} says. Syncing a file does not make its name durable, nor does
 * syncing a directory make the content of its files durable. Locks do not survive a power loss.
 *
 * <p>The clock for modification times advances by a second with each operation, independently of
 * real time.
 *
 * <p>Files have at most 2 GiB; usable space is unlimited. Safe for use by all threads.
 */
public final class SimulatedDisk extends ForwardingDirectory {
  private final SimulatedFileSystem fileSystem;
  private final Directory root;

  /** Creates an empty disk with {@link FileSystemModel#JOURNALED}. */
  public SimulatedDisk() {
    this(FileSystemModel.JOURNALED);
  }

  /** Creates an empty disk. */
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
   * Cuts the power, if that has not happened yet, and returns a disk as it may be found afterwards.
   *
   * @param seed decides which unsynced data is left; the same seed returns the same disk
   */
  public SimulatedDisk powerLoss(long seed) {
    return new SimulatedDisk(fileSystem.powerLoss(seed));
  }

  /**
   * Ends the process that uses the disk, without a power loss. Every operation on this disk fails
   * from now on, as after a power loss. The returned disk has everything that was written, synced
   * or not, as if it had been synced.
   */
  public SimulatedDisk processDeath() {
    return new SimulatedDisk(fileSystem.processDeath());
  }

  /**
   * Cuts the power before the operation after the next {@code operations} ones.
   *
   * @param operations number of operations that change the disk (see {@link #operations()}) and
   *     still succeed, 0 or more
   */
  public void crashAfter(long operations) {
    if (operations < 0) {
      throw new IllegalArgumentException(
          "crash after " + operations + " operations, allowed 0 or more");
    }
    fileSystem.crashAfter(operations);
  }

  /**
   * Returns the number of operations that changed the disk since its start: all but reading,
   * opening, listing and lookups. Operations that failed for another reason than power loss count
   * as well.
   */
  public long operations() {
    return fileSystem.operations();
  }

  /** Returns whether the power was lost. */
  public boolean isLost() {
    return fileSystem.isLost();
  }

  /**
   * Returns the last operation that happened and the one that the power loss prevented, for
   * messages.
   */
  public String lastOperations() {
    return fileSystem.lastOperations();
  }

  /** Returns the file system of a disk, or of a directory on one. */
  static Directory unwrap(Directory directory) {
    return directory instanceof SimulatedDisk disk ? disk.root : directory;
  }
}
