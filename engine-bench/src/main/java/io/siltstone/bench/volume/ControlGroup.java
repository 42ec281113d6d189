package io.siltstone.bench.volume;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A Linux control group: of version 1, where each controller has its own tree, or of version 2,
 * where all share one. Confined to one thread.
 */
final class ControlGroup implements Closeable {
  /** Prefix of the names of groups that are created here. */
  static final String PREFIX = "siltstone-bench-";

  private final Kernel kernel;
  private final int version;
  private final String mount;
  private final String path;
  // The group to which its processes return when it is removed.
  private final String home;
  private boolean closed;

  private ControlGroup(Kernel kernel, int version, String mount, String path, String home) {
    this.kernel = kernel;
    this.version = version;
    this.mount = mount;
    this.path = path;
    this.home = home;
  }

  /** Returns the group of this process, if the controller exists. */
  static Optional<ControlGroup> own(Controller controller, Kernel kernel) throws IOException {
    if (!kernel.exists("/proc/self/cgroup") || !kernel.exists("/proc/self/mountinfo")) {
      return Optional.empty();
    }
    List<Mount> mounts = Mount.all(kernel);
    String[] lines = kernel.read("/proc/self/cgroup").split("\n", -1);
    for (String line : lines) {
      // 7:cpu,cpuacct:/path
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && List.of(fields[1].split(",", -1)).contains(controller.name(1))) {
        for (Mount mount : mounts) {
          if (mount.type().equals("cgroup") && mount.options().contains(controller.name(1))) {
            return Optional.of(at(kernel, 1, mount, fields[2]));
          }
        }
      }
    }
    for (String line : lines) {
      if (line.startsWith("0::")) {
        for (Mount mount : mounts) {
          if (mount.type().equals("cgroup2")) {
            ControlGroup own = at(kernel, 2, mount, line.substring(3));
            return own.offers(controller) ? Optional.of(own) : Optional.empty();
          }
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the group in its mounted tree. In a container, the tree is mounted from the container's
   * own group on.
   */
  private static ControlGroup at(Kernel kernel, int version, Mount mount, String group) {
    String below = group;
    if (!mount.root().equals("/") && group.startsWith(mount.root())) {
      below = group.substring(mount.root().length());
    }
    String path = below.isEmpty() || below.equals("/") ? mount.point() : mount.point() + below;
    String seen = kernel.exists(path) ? path : mount.point();
    return new ControlGroup(kernel, version, mount.point(), seen, seen);
  }

  private boolean offers(Controller controller) throws IOException {
    String file = path + "/cgroup.controllers";
    return kernel.exists(file)
        && List.of(kernel.read(file).trim().split(" ", -1)).contains(controller.name(2));
  }

  /**
   * Creates a group, which the caller closes: below this one; in version 2, where a group with
   * processes cannot delegate its controllers, below the nearest group above it that can.
   *
   * @throws IOException if the user may not; its message says why
   */
  ControlGroup makeChild(Controller controller) throws IOException {
    String parent = version == 1 ? path : handsDown(controller);
    String name =
        PREFIX
            + controller.name().toLowerCase(Locale.ROOT).replace('_', '-')
            + "-"
            + Long.toHexString(ThreadLocalRandom.current().nextLong());
    String child = parent + "/" + name;
    kernel.makeGroup(child);
    return new ControlGroup(kernel, version, mount, child, path);
  }

  /**
   * Adds a controller to a group of version 2 that was {@linkplain #makeChild created here}. There
   * a process is in one group only, so all its limits must be those of one group.
   *
   * @throws IOException if the user may not; its message says why
   */
  void receive(Controller controller) throws IOException {
    handDown(path.substring(0, path.lastIndexOf('/')), controller);
  }

  private void handDown(String from, Controller controller) throws IOException {
    String file = from + "/cgroup.subtree_control";
    if (!List.of(kernel.read(file).trim().split(" ", -1)).contains(controller.name(2))) {
      kernel.write(file, "+" + controller.name(2));
    }
  }

  private String handsDown(Controller controller) throws IOException {
    IOException refused = null;
    for (String at = path;
        at.length() >= mount.length();
        at = at.substring(0, Math.max(0, at.lastIndexOf('/')))) {
      try {
        handDown(at, controller);
        return at;
      } catch (IOException e) {
        if (refused == null) {
          refused = e;
        } else {
          refused.addSuppressed(e);
        }
      }
    }
    throw refused == null ? new IOException(path + " is not below " + mount) : refused;
  }

  /** Sets the limits of the group. */
  void limit(Controller controller, VolumeLimits limits, String device) throws IOException {
    for (Controller.Setting setting : controller.settings(limits, device, version)) {
      kernel.write(path + "/" + setting.file(), setting.value());
    }
  }

  /** Moves a process into the group, with all its threads. */
  void add(long pid) throws IOException {
    kernel.write(path + "/cgroup.procs", Long.toString(pid));
  }

  /** Returns the version, 1 or 2. */
  int version() {
    return version;
  }

  /** Returns the last part of its path. */
  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns what its processes have read from a disk. */
  DiskReads reads(BlockDevice device) throws IOException {
    if (version == 1) {
      return new DiskReads(
          field(kernel.read(path + "/blkio.throttle.io_serviced"), device.number() + " Read "),
          field(
              kernel.read(path + "/blkio.throttle.io_service_bytes"), device.number() + " Read "));
    }
    for (String line : kernel.read(path + "/io.stat").split("\n", -1)) {
      if (line.startsWith(device.number() + " ")) {
        String fields = line.replace(' ', '\n');
        return new DiskReads(field(fields, "rios="), field(fields, "rbytes="));
      }
    }
    return new DiskReads(0, 0);
  }

  /** Returns the number that follows the beginning of a line, 0 if there is no such line. */
  private static long field(String text, String beginning) {
    for (String line : text.split("\n", -1)) {
      if (line.startsWith(beginning)) {
        return Long.parseLong(line.substring(beginning.length()).trim());
      }
    }
    return 0;
  }

  /** Removes the group; its remaining processes return to the group of this process. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    for (String pid : kernel.read(path + "/cgroup.procs").trim().split("\n", -1)) {
      if (!pid.isEmpty()) {
        kernel.write(home + "/cgroup.procs", pid);
      }
    }
    kernel.removeGroup(path);
  }

  @Override
  public String toString() {
    return path;
  }
}
