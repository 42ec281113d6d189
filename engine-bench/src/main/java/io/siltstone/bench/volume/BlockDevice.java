package io.siltstone.bench.volume;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The disk of a directory. For a partition it is the whole disk, because the kernel limits and
 * counts whole disks.
 *
 * @param name e.g. {@code vda}
 * @param number {@code major:minor}
 * @param directory of its files, below {@code /sys}
 */
public record BlockDevice(String name, String number, String directory) {
  private static final int SECTOR_BYTES = 512;

  /**
   * Returns the disk of a directory, if its file system is on one.
   *
   * @param path absolute and without links
   */
  public static Optional<BlockDevice> of(String path, Kernel kernel) throws IOException {
    if (!kernel.exists("/proc/self/mountinfo")) {
      return Optional.empty();
    }
    Optional<Mount> mount = Mount.of(path, kernel);
    if (mount.isEmpty()) {
      return Optional.empty();
    }
    String found = "/sys/dev/block/" + mount.get().device();
    if (!kernel.exists(found)) {
      // File systems over several disks have their own numbers; their source names one of the
      // disks.
      String source = mount.get().source();
      found = "/sys/class/block/" + source.substring(source.lastIndexOf('/') + 1);
      if (!source.startsWith("/dev/") || !kernel.exists(found)) {
        return Optional.empty();
      }
    }
    String directory = kernel.real(found);
    if (kernel.exists(directory + "/partition")) {
      directory = parent(directory);
    }
    return Optional.of(
        new BlockDevice(
            directory.substring(directory.lastIndexOf('/') + 1),
            kernel.read(directory + "/dev").trim(),
            directory));
  }

  private static String parent(String path) {
    return Objects.requireNonNull(Path.of(path).getParent()).toString();
  }

  /** Returns the reads of all processes since the machine started. */
  public DiskReads reads(Kernel kernel) throws IOException {
    String[] fields = kernel.read(directory + "/stat").trim().split("\\s+", -1);
    return new DiskReads(Long.parseLong(fields[0]), Long.parseLong(fields[2]) * SECTOR_BYTES);
  }

  String readAheadFile() {
    return directory + "/queue/read_ahead_kb";
  }
}
