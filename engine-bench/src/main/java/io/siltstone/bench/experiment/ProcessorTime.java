package io.siltstone.bench.experiment;

import io.siltstone.bench.volume.Kernel;
import java.io.IOException;

/**
 * The processor time of the machine up to a moment, from {@code /proc/stat} and {@code
 * /proc/self/stat}: that of this JVM with the children that have ended, and that of everything
 * else. The difference of two moments shows how much other processes disturbed what ran between
 * them.
 *
 * @param nanoTime the moment, by {@link System#nanoTime}
 * @param ownTicks time of this JVM and of its children that have ended
 * @param otherTicks time of all other processes, of the kernel, and of what the hypervisor took
 */
record ProcessorTime(long nanoTime, long ownTicks, long otherTicks) {
  /** Ticks of these files a second, the same on all Linux systems that Java runs on. */
  private static final double TICKS = 100;

  private static final double NANOS = 1e9;
  private static final String ALL = "/proc/stat";
  private static final String OWN = "/proc/self/stat";

  // Fields of the first line of /proc/stat: user nice system idle iowait irq softirq steal guest.
  private static final int IDLE = 4;
  private static final int IOWAIT = 5;
  private static final int STEAL = 8;

  // Fields of /proc/self/stat after the name in brackets: utime stime cutime cstime.
  private static final int UTIME = 11;
  private static final int CSTIME = 14;

  /** Returns whether the system reports these times. */
  static boolean isKnown(Kernel kernel) {
    return kernel.exists(ALL) && kernel.exists(OWN);
  }

  /**
   * Returns the times until now.
   *
   * @param kernel one that {@link #isKnown reports them}
   */
  static ProcessorTime now(Kernel kernel) throws IOException {
    String[] all = kernel.read(ALL).lines().findFirst().orElse("").trim().split(" +", -1);
    long busy = 0;
    // The fields after steal are the time of guests, which is part of user and nice already.
    for (int i = 1; i < Math.min(all.length, STEAL + 1); i++) {
      busy += i == IDLE || i == IOWAIT ? 0 : Long.parseLong(all[i]);
    }
    String own = kernel.read(OWN);
    String[] fields = own.substring(own.lastIndexOf(')') + 1).trim().split(" ", -1);
    long ticks = 0;
    for (int i = UTIME; i <= Math.min(fields.length - 1, CSTIME); i++) {
      ticks += Long.parseLong(fields[i]);
    }
    return new ProcessorTime(System.nanoTime(), ticks, busy - ticks);
  }

  /** Returns how many processors others used on average since an earlier moment, 0 or more. */
  double othersSince(ProcessorTime before) {
    double seconds = (nanoTime - before.nanoTime) / NANOS;
    return seconds <= 0 ? 0 : Math.max(0, (otherTicks - before.otherTicks) / TICKS / seconds);
  }
}
