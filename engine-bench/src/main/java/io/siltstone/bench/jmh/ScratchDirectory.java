package io.siltstone.bench.jmh;

import io.siltstone.files.DirectoryTree;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A temporary directory for the files of one benchmark. Confined to one thread. */
final class ScratchDirectory implements Closeable {
  private final Path path;
  private final Directory files;

  private ScratchDirectory(Path path, Directory files) {
    this.path = path;
    this.files = files;
  }

  static ScratchDirectory make() throws IOException {
    Path path = Files.createTempDirectory("siltstone-jmh");
    return new ScratchDirectory(path, NioDirectory.open(path));
  }

  Directory files() {
    return files;
  }

  /** Removes the directory with all that is in it. */
  @Override
  public void close() throws IOException {
    DirectoryTree.empty(files);
    Files.delete(path);
  }
}
