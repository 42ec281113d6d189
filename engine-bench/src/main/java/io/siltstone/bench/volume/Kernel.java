package io.siltstone.bench.volume;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The files by which the kernel tells what it does and is told what to do: {@code /proc} and {@code
 * /sys}. Paths are absolute, as on the machine itself. Safe for all threads.
 */
public interface Kernel {
  /** That of this machine. */
  Tree MACHINE = new Tree(Path.of("/"));

  /** The text of a file. */
  String read(String path) throws IOException;

  /** Writes to a file that is there. */
  void write(String path, String text) throws IOException;

  /**
   * Has a text written to a file if this process dies before what is returned is closed.
   *
   * @throws IOException if it cannot be seen to
   */
  Closeable guard(String path, String text) throws IOException;

  /** Whether there is a file or directory of that path. */
  boolean exists(String path);

  /** The path without links. */
  String real(String path) throws IOException;

  /** Makes a control group, whose files the kernel makes in turn. */
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
      // One write, as the kernel takes each for a command; nothing is created.
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
