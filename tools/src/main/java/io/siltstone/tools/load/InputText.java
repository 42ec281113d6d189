package io.siltstone.tools.load;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where rows are read from: a file, which may be a pipe, or standard input.
 *
 * @param name for messages
 * @param length in bytes, 0 if not known
 * @param isOwn whether closing it closes the stream
 */
record InputText(String name, InputStream stream, long length, boolean isOwn)
    implements AutoCloseable {
  /** Stands for standard input. */
  static final String STANDARD_INPUT = "-";

  /** Opens it. */
  static InputText open(String file) throws IOException {
    if (file.equals(STANDARD_INPUT)) {
      // Not System.in: whoever waits for that cannot be woken.
      FileChannel channel = new FileInputStream(FileDescriptor.in).getChannel();
      return new InputText("standard input", Channels.newInputStream(channel), 0, false);
    }
    Path path = Path.of(file);
    if (Files.isDirectory(path)) {
      throw new IOException(file + " is a directory, a file is wanted");
    }
    InputStream stream = Files.newInputStream(path);
    return new InputText(file, stream, Files.isRegularFile(path) ? Files.size(path) : 0, true);
  }

  /** Wakes whoever reads, who gets an exception; another thread may call it. */
  void interrupt() {
    try {
      stream.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    if (isOwn) {
      stream.close();
    }
  }
}
