package io.siltstone.tools;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One run of the command line.
 *
 * @param code exit code
 * @param out what it printed
 * @param err the errors it printed
 */
record Run(int code, String out, String err) {
  /** Runs a command. */
  static Run of(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Siltstone.run(args, out, err);
    return new Run(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
