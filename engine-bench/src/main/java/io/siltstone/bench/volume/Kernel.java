package io.siltstone.bench.volume;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The files of the kernel below {@code /proc} and {@code /sys}, which describe and control what it
 * does. Paths are absolute, as on the machine itself. Safe for use by all threads.
 */
public interface Kernel {
  /** The kernel of this machine. */
  Tree MACHINE = new Tree(Path.of("/"));

  /** Returns the text of a file. */
  String read(String path) throws IOException;

  /** Writes to an existing file. */
  void write(String path, String text) throws IOException;

  /**
   * Has a text written to a file if this process dies before the returned guard is closed.
   *
   * @throws IOException if that cannot be arranged
   */
  Closeable guard(String path, String text) throws IOException;

  /** Returns whether there is a file or directory with that path. */
  boolean exists(String path);

  /** Returns the path without links. */
  String real(String path) throws IOException;

  /** Creates a control group; the kernel creates its files. */
  void makeGroup(String path) throws IOException;

  /** Removes a control group, which has no processes any more. */
  void removeGroup(String path) throws IOException;

  /**
   * The files below a directory that stands for the root.
   *
   * @param root of all paths
   */
  record Tree(Path root) implements Kernel {
    private Path at(String path) {
      return root.resolve(path.substring(1));
    }

    @Override
    public String read(String path) throws IOException {
      return Files.readString(at(path));
    }

    @Override
    public void write(String path, String text) throws IOException {
      // One write call, because the kernel takes each as a command; the file must exist.
      Files.writeString(
          at(path), text, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    @Override
    public Closeable guard(String path, String text) throws IOException {
      return ReadAheadGuard.start(at(path), text);
    }

    @Override
    public boolean exists(String path) {
      return Files.exists(at(path));
    }

    @Override
    public String real(String path) throws IOException {
      return "/" + root.toRealPath().relativize(at(path).toRealPath());
    }

    @Override
    public void makeGroup(String path) throws IOException {
      Files.createDirectory(at(path));
    }

    @Override
    public void removeGroup(String path) throws IOException {
      Files.delete(at(path));
    }
  }
}
