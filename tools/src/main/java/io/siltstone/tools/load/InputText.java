package io.siltstone.tools.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where rows are read from: a file, which may be a pipe, or standard input.
 *
 * @param name for messages
 * @param length in bytes, 0 if not known
 */
record InputText(String name, InputStream stream, long length) implements AutoCloseable {
  /** Stands for standard input. */
  static final String STANDARD_INPUT = "-";

  /** Opens it. */
  static InputText open(String file) throws IOException {
    if (file.equals(STANDARD_INPUT)) {
      return new InputText("standard input", System.in, 0);
    }
    Path path = Path.of(file);
    if (Files.isDirectory(path)) {
      throw new IOException(file + " is a directory, a file is wanted");
    }
    InputStream stream = Files.newInputStream(path);
    return new InputText(file, stream, Files.isRegularFile(path) ? Files.size(path) : 0);
  }

  @Override
  public void close() throws IOException {
    if (stream != System.in) {
      stream.close();
    }
  }
}
