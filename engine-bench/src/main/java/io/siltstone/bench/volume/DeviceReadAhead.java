package io.siltstone.bench.volume;

import java.io.Closeable;
import java.io.IOException;

/** The kernel's own read-ahead of a disk, changed until it is closed. Confined to one thread. */
final class DeviceReadAhead implements Closeable {
  private final Kernel kernel;
  private final BlockDevice device;
  private final String before;
  private boolean closed;

  private DeviceReadAhead(Kernel kernel, BlockDevice device, String before) {
    this.kernel = kernel;
    this.device = device;
    this.before = before;
  }

  /**
   * Changes it.
   *
   * @throws IOException if this user may not
   */
  static DeviceReadAhead set(BlockDevice device, int kib, Kernel kernel) throws IOException {
    String before = kernel.read(device.readAheadFile()).trim();
    kernel.write(device.readAheadFile(), Integer.toString(kib));
    return new DeviceReadAhead(kernel, device, before);
  }

  /** What it was, in KiB. */
  String before() {
    return before;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      kernel.write(device.readAheadFile(), before);
    }
  }
}
