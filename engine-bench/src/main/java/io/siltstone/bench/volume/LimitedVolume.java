package io.siltstone.bench.volume;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The disk of a directory, with limits for the processes that are added to it.
 *
 * <p>Reads are limited by the kernel's block I/O controller where the user may set it ({@code
 * blkio.throttle.*} of control groups v1, {@code io.max} of v2). The disk's own read-ahead is then
 * reduced to {@value #DEVICE_READ_AHEAD_KIB} KiB, so that the disk sees the reads that the engine
 * makes. Otherwise {@link #left()} says what the measured process has to limit itself, with a
 * {@link RateLimitedDirectory}. Memory is limited by the memory controller, or not at all. {@link
 * #notes()} describes what was done. If possible, the processes are put into a control group even
 * without a limit of reads, because it counts their reads; see {@link ReadCounter}.
 *
 * <p>Closing this undoes everything, and so does the end of the JVM. If the JVM is killed, the
 * disk's read-ahead is still restored, while empty control groups remain. Safe for use by all
 * threads; closed by its opener after the added processes have ended.
 */
public final class LimitedVolume implements Closeable {
  /** The disk's own read-ahead in KiB while reads are limited. */
  public static final int DEVICE_READ_AHEAD_KIB = 4;

  /** The change that affects all processes of the machine while reads are limited. */
  public static final String READ_AHEAD_CHANGE =
      "While it measures, the read-ahead of the whole disk is set to "
          + DEVICE_READ_AHEAD_KIB
          + " KiB, if the user may set it. It is restored afterwards, even if this process"
          + " is killed.";

  private final Kernel kernel;
  private final List<String> notes = new ArrayList<>();
  private final List<ControlGroup> groups = new ArrayList<>();
  // The actions to undo, the last first; guarded by this.
  private final Deque<Closeable> undo = new ArrayDeque<>();
  private final Thread atExit = new Thread(this::closeAtExit, "limited-volume-undo");
  private VolumeLimits left = VolumeLimits.NONE;
  private boolean closed;

  private LimitedVolume(Kernel kernel) {
    this.kernel = kernel;
  }

  /**
   * Sets the limits.
   *
   * @param directory exists, on the disk to be measured
   */
  public static LimitedVolume open(Path directory, VolumeLimits limits, Kernel kernel)
      throws IOException {
    return open(directory.toRealPath().toString(), limits, kernel);
  }

  static LimitedVolume open(String directory, VolumeLimits limits, Kernel kernel)
      throws IOException {
    LimitedVolume volume = new LimitedVolume(kernel);
    // Registered before anything is changed, so that everything is undone.
    Runtime.getRuntime().addShutdownHook(volume.atExit);
    try {
      if (limits.limitsReads()) {
        volume.limitReads(directory, limits);
      } else {
        // Sets no limit, but the kernel counts the reads of the processes in the group.
        volume.limit(Controller.BLOCK_IO, limits, "");
      }
      // Reads that the process itself limits would mostly be answered by the disk's read-ahead.
      if (limits.isReadAheadOff() && !volume.left().limitsReads()) {
        volume.lowerReadAhead(directory);
      }
      if (limits.memoryBytes() > 0) {
        volume.limitMemory(limits);
      }
      return volume;
    } catch (Throwable e) {
      try {
        volume.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private synchronized void limitReads(String directory, VolumeLimits limits) throws IOException {
    Optional<BlockDevice> device = BlockDevice.of(directory, kernel);
    String refused =
        device.isEmpty()
            ? "the file system of the directory is not on a disk that the kernel names"
            : limit(Controller.BLOCK_IO, limits, device.get().number());
    if (refused != null) {
      left = new VolumeLimits(limits.readsPerSecond(), limits.bytesPerSecond(), 0);
      notes.add(
          limits.readsText()
              + " by a throttling file layer in the engine's process, where reads from the"
              + " page cache count too; not by the kernel, because "
              + refused);
      return;
    }
    ControlGroup group = groups.get(groups.size() - 1);
    notes.add(
        limits.readsText()
            + " on "
            + device.orElseThrow().name()
            + " by the kernel's block-I/O controller (control groups v"
            + group.version()
            + (group.version() == 1 ? ", blkio.throttle" : ", io.max")
            + "); writes are not limited");
  }

  private synchronized void lowerReadAhead(String directory) throws IOException {
    Optional<BlockDevice> device = BlockDevice.of(directory, kernel);
    if (device.isEmpty()) {
      return;
    }
    try {
      DeviceReadAhead readAhead = DeviceReadAhead.set(device.get(), DEVICE_READ_AHEAD_KIB, kernel);
      undo.push(readAhead);
      notes.add(
          "read-ahead of "
              + device.get().name()
              + " "
              + DEVICE_READ_AHEAD_KIB
              + " KiB instead of "
              + readAhead.before()
              + " KiB");
    } catch (IOException e) {
      notes.add("read-ahead of " + device.get().name() + " unchanged: " + reason(e));
    }
  }

  private synchronized void limitMemory(VolumeLimits limits) throws IOException {
    String refused = limit(Controller.MEMORY, limits, "");
    String size = String.format(Locale.ROOT, "%,d MiB", limits.memoryBytes() >> 20);
    notes.add(
        refused == null
            ? size
                + " of memory with the page cache, by the kernel's memory controller (control"
                + " groups v"
                + groups.get(groups.size() - 1).version()
                + ")"
            : "memory is not limited to " + size + ", because " + refused);
  }

  /** Sets a limit; returns null if successful, else the reason. */
  private synchronized @Nullable String limit(
      Controller controller, VolumeLimits limits, String device) throws IOException {
    Optional<ControlGroup> own = ControlGroup.own(controller, kernel);
    if (own.isEmpty()) {
      return "there is no " + controller.name(1) + " controller of control groups";
    }
    try {
      if (own.get().version() == 2 && !groups.isEmpty()) {
        ControlGroup shared = groups.get(0);
        shared.receive(controller);
        shared.limit(controller, limits, device);
        return null;
      }
      ControlGroup group = own.get().makeChild(controller);
      undo.push(group);
      try {
        group.limit(controller, limits, device);
      } catch (IOException e) {
        undo.pop();
        group.close();
        throw e;
      }
      groups.add(group);
      return null;
    } catch (IOException e) {
      return "the control group could not be created or set: " + reason(e);
    }
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + " " + e.getMessage();
  }

  /** Adds a process, with all its threads and child processes. */
  public synchronized void add(long pid) throws IOException {
    for (ControlGroup group : groups) {
      group.add(pid);
    }
  }

  /**
   * Returns the limits that the kernel does not enforce and the process has to; {@code NONE} if
   * there are none.
   */
  public synchronized VolumeLimits left() {
    return left;
  }

  /** Returns phrases for the report that say what limits what, and why not otherwise. */
  public synchronized List<String> notes() {
    return List.copyOf(notes);
  }

  private void closeAtExit() {
    try {
      undoAll();
    } catch (IOException e) {
      // The JVM is ending: what can be undone is undone, and there is nobody to report failures to.
    }
  }

  private synchronized void undoAll() throws IOException {
    IOException failure = null;
    while (!undo.isEmpty()) {
      try {
        undo.pop().close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    groups.clear();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    undoAll();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is ending, so the hook has nothing to do.
    }
  }
}
