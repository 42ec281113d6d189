package io.siltstone.bench.volume;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A simulated machine: files below a directory, in which new control groups get their files as from
 * a kernel.
 */
final class MadeUpKernel implements Kernel {
  private static final List<String> GROUP_FILES =
      List.of(
          "cgroup.procs",
          "blkio.throttle.read_iops_device",
          "blkio.throttle.read_bps_device",
          "memory.limit_in_bytes",
          "io.max",
          "memory.max");

  private final Tree tree;
  final List<String> written = new ArrayList<>();

  MadeUpKernel(Path root) {
    tree = new Tree(root);
  }

  /** Adds a file. */
  MadeUpKernel file(String path, String text) {
    try {
      Path file = tree.root().resolve(path.substring(1));
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.writeString(file, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a link. */
  MadeUpKernel link(String path, String target) {
    try {
      Path link = tree.root().resolve(path.substring(1));
      Files.createDirectories(Objects.requireNonNull(link.getParent()));
      Files.createSymbolicLink(link, tree.root().resolve(target.substring(1)));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a disk vda with a partition vda1, mounted at /, and another disk at /data. */
  MadeUpKernel withDisks() {
    file("/sys/devices/pci/vda/dev", "254:0\n");
    file("/sys/devices/pci/vda/stat", " 100 5 2000 7 9 9 9 9 0 1 1\n");
    file("/sys/devices/pci/vda/queue/read_ahead_kb", "8192\n");
    file("/sys/devices/pci/vda/vda1/dev", "254:1\n");
    file("/sys/devices/pci/vda/vda1/partition", "1\n");
    file("/sys/devices/pci/sdb/dev", "8:16\n");
    file("/sys/devices/pci/sdb/queue/read_ahead_kb", "128\n");
    link("/sys/dev/block/254:1", "/sys/devices/pci/vda/vda1");
    link("/sys/dev/block/8:16", "/sys/devices/pci/sdb");
    link("/sys/class/block/sdb", "/sys/devices/pci/sdb");
    return this;
  }

  @Override
  public String read(String path) throws IOException {
    return tree.read(path);
  }

  @Override
  public void write(String path, String text) throws IOException {
    tree.write(path, text);
    written.add(path + " <- " + text);
  }

  @Override
  public Closeable guard(String path, String text) {
    return () -> {};
  }

  @Override
  public boolean exists(String path) {
    return tree.exists(path);
  }

  @Override
  public String real(String path) throws IOException {
    return tree.real(path);
  }

  @Override
  public void makeGroup(String path) throws IOException {
    tree.makeGroup(path);
    for (String name : GROUP_FILES) {
      file(path + "/" + name, "");
    }
  }

  @Override
  public void removeGroup(String path) throws IOException {
    try (Stream<Path> all = Files.walk(tree.root().resolve(path.substring(1)))) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
