package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A process that tries to take the lock of a directory, says whether it did, and keeps it until its
 * input ends.
 */
final class LockHolder {
  private LockHolder() {}

  @SuppressWarnings("SystemOut") // Its parent reads it.
  public static void main(String[] args) throws IOException {
    try (Closeable lock = NioDirectory.open(Path.of(args[0])).lock(args[1])) {
      System.out.println("locked " + (lock != null));
      while (System.in.read() >= 0) {
        // Until the parent closes its end.
      }
    } catch (IOException e) {
      System.out.println("refused " + e.getMessage());
    }
  }
}
