package io.siltstone.tools.terminal;

import io.siltstone.event.EngineListener;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Reports SSTables that were skipped and damage of the commit log to the user, one line each,
 * instead of the engine's log.
 *
 * <p>{@link #report} is called when opening has ended, successfully or not. Damage that is found
 * later ends the command or is part of its results. The listener is safe for use by all threads;
 * the rest is confined to one.
 */
public final class DamageReporter implements EngineListener {
  private final Terminal terminal;
  private final Queue<Found> found = new ConcurrentLinkedQueue<>();
  private final Set<String> told = new LinkedHashSet<>();
  private final Set<Path> paths = new HashSet<>();

  private record Found(String path, String line, String advice) {}

  /** Prints to the terminal's standard error. */
  public DamageReporter(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void corruptionFound(CorruptionFound event) {
    add(
        event.path(),
        event.table() == null ? " was skipped from its damage on: " : " was skipped: ",
        event.cause());
  }

  /** Adds another SSTable that was skipped. */
  public void skipped(String path, Throwable cause) {
    add(path, " was skipped: ", cause);
  }

  private void add(String path, String what, Throwable cause) {
    found.add(
        new Found(
            path,
            FailureReporter.oneLine(path + what + FailureReporter.describe(cause)),
            RepairAdvice.after(cause)));
  }

  /**
   * Prints what was found since the last call, without lines that were printed before, and the
   * command that repairs it.
   */
  public void report() {
    for (Found each = found.poll(); each != null; each = found.poll()) {
      paths.add(key(Path.of(each.path())));
      if (told.add(each.line())) {
        terminal.errorLine(each.line() + each.advice());
      }
    }
  }

  private static Path key(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /** Returns whether the file was reported. */
  public boolean isReported(Path file) {
    return paths.contains(key(file));
  }

  /**
   * Returns the lines that were printed, without the prefix that they have on the terminal and
   * without advice.
   */
  public List<String> reported() {
    return List.copyOf(told);
  }
}
