package io.siltstone.campaigns.faults;

import io.siltstone.campaigns.run.Directories;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small file system that is mounted for a test: in memory (tmpfs), or ext4 in a file (loop).
 * Mounting needs Linux and the rights of root.
 */
final class SmallVolume implements Closeable {
  private final Path home;
  private final Path mount;

  /** Kinds of file systems. */
  enum Kind {
    TMPFS,
    EXT4_ON_LOOP
  }

  private SmallVolume(Path home) throws IOException {
    this.home = home;
    this.mount = Files.createDirectories(home.resolve("mount"));
  }

  /**
   * Mounts a file system.
   *
   * @param home an empty directory for it
   * @throws IOException if that is not allowed, with the output of the command
   */
  static SmallVolume mount(Path home, Kind kind, int megabytes) throws IOException {
    SmallVolume volume = new SmallVolume(home);
    String target = volume.mount.toString();
    if (kind == Kind.TMPFS) {
      execute("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", target);
    } else {
      Path image = home.resolve("image");
      try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
        file.setLength((long) megabytes << 20);
      }
      execute("mkfs.ext4", "-q", "-F", image.toString());
      execute("mount", "-o", "loop", image.toString(), target);
    }
    return volume;
  }

  Path root() {
    return mount;
  }

  private static void execute(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted at " + String.join(" ", command), e);
    }
  }

  @Override
  public void close() throws IOException {
    execute("umount", mount.toString());
    Directories.delete(home);
  }
}
