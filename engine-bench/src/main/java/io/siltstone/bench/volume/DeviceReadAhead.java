package io.siltstone.bench.volume;

import java.io.Closeable;
import java.io.IOException;

/** Changes the kernel's read-ahead of a disk until it is closed. Confined to one thread. */
final class DeviceReadAhead implements Closeable {
  private final Kernel kernel;
  private final BlockDevice device;
  private final String before;
  private final Closeable guard;
  private boolean closed;

  private DeviceReadAhead(Kernel kernel, BlockDevice device, String before, Closeable guard) {
    this.guard = guard;
    this.kernel = kernel;
    this.device = device;
    this.before = before;
  }

  /**
   * Changes the read-ahead. It is restored even if this process is killed.
   *
   * @throws IOException if the user may not change it
   */
  static DeviceReadAhead set(BlockDevice device, int kib, Kernel kernel) throws IOException {
    String before = kernel.read(device.readAheadFile()).trim();
    Closeable guard = kernel.guard(device.readAheadFile(), before);
    try {
      kernel.write(device.readAheadFile(), Integer.toString(kib));
      return new DeviceReadAhead(kernel, device, before, guard);
    } catch (Throwable e) {
      try (guard) {
        throw e;
      }
    }
  }

  /** Returns the previous value, in KiB. */
  String before() {
    return before;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      try (guard) {
        kernel.write(device.readAheadFile(), before);
      }
    }
  }
}
