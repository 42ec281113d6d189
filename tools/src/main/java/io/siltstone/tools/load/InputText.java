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
 * The input of a load: a file, which may be a pipe, or standard input.
 *
 * @param name for messages
 * @param length in bytes, 0 if not known
 * @param isOwn whether closing this closes the stream
 */
record InputText(String name, InputStream stream, long length, boolean isOwn)
    implements AutoCloseable {
  /** Names standard input. */
  static final String STANDARD_INPUT = "-";

  /** Opens the input. */
  static InputText open(String file) throws IOException {
    if (file.equals(STANDARD_INPUT)) {
      // Not System.in, on which a blocked read cannot be interrupted.
      FileChannel channel = new FileInputStream(FileDescriptor.in).getChannel();
      return new InputText("standard input", Channels.newInputStream(channel), 0, false);
    }
    Path path = Path.of(file);
    if (Files.isDirectory(path)) {
      throw new IOException(file + " is a directory, expected a file");
    }
    InputStream stream = Files.newInputStream(path);
    return new InputText(file, stream, Files.isRegularFile(path) ? Files.size(path) : 0, true);
  }

  /** Interrupts a thread that reads, which gets an exception. May be called by another thread. */
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
