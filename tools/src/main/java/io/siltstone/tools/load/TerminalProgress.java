package io.siltstone.tools.load;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows the progress of a load on one line of a terminal, which is overwritten a few times per
 * second.
 */
final class TerminalProgress implements LoadProgress {
  private static final long EVERY_NANOS = 200_000_000L;
  private static final int WIDTH = 30;

  private final PrintStream err;
  private final LongSupplier nanoClock;
  private final long totalBytes;
  private final long begun;
  private long shown;
  private boolean any;

  /**
   * @param nanoClock as {@link System#nanoTime}
   * @param totalBytes size of the input, 0 if not known
   */
  TerminalProgress(PrintStream err, LongSupplier nanoClock, long totalBytes) {
    this.err = err;
    this.nanoClock = nanoClock;
    this.totalBytes = totalBytes;
    this.begun = nanoClock.getAsLong();
    this.shown = begun;
  }

  @Override
  public void read(long bytes, long rows) {
    long now = nanoClock.getAsLong();
    if (now - shown < EVERY_NANOS) {
      return;
    }
    double seconds = (now - begun) / 1e9;
    String bar = totalBytes > 0 ? bar((double) bytes / totalBytes) : "";
    show(
        now,
        String.format(
            Locale.ROOT,
            "reading %s %d MB, %d rows, %.0f rows/s",
            bar,
            bytes / 1_000_000,
            rows,
            rows / seconds));
  }

  @Override
  public void written(long records, long of) {
    long now = nanoClock.getAsLong();
    if (now - shown >= EVERY_NANOS) {
      show(now, "writing " + bar((double) records / Math.max(1, of)) + " " + records + " rows");
    }
  }

  private static String bar(double share) {
    int filled = (int) Math.round(WIDTH * Math.max(0, Math.min(1, share)));
    return "[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "]";
  }

  private void show(long now, String text) {
    shown = now;
    any = true;
    // Return to the start of the line, and clear what was longer.
    err.print("\r" + text + "\u001b[K");
    err.flush();
  }

  @Override
  public void end() {
    if (any) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
