package io.siltstone.tools.terminal;

import java.io.IOException;
import java.io.OutputStream;

/** Standard output, whose failures end the command. */
final class OutputGuard extends OutputStream {
  private final OutputStream out;

  OutputGuard(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) {
    try {
      out.write(b);
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  @Override
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }
}
