package io.siltstone.tools.terminal;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output whose failure ends the command. After the failure was thrown once, further output
 * is dropped.
 */
final class OutputGuard extends OutputStream {
  private final OutputStream out;
  private boolean failed;

  OutputGuard(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) {
    if (failed) {
      return;
    }
    try {
      out.write(b);
    } catch (IOException e) {
      failed = true;
      throw new OutputException(e);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    if (failed) {
      return;
    }
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failed = true;
      throw new OutputException(e);
    }
  }

  @Override
  public void flush() {
    if (failed) {
      return;
    }
    try {
      out.flush();
    } catch (IOException e) {
      failed = true;
      throw new OutputException(e);
    }
  }
}
