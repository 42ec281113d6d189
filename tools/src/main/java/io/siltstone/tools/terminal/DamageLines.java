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
 * Tells the user of the SSTables that were left aside, and of what is damaged of the log, as the
 * engine logs it for others: a line each, once.
 *
 * <p>To be told when what was opened is open, or could not be: what is found later ends what the
 * command does with it, or is in its results. The listener is safe for all threads, the rest
 * confined to one.
 */
public final class DamageLines implements EngineListener {
  private final Terminal terminal;
  private final Queue<Found> found = new ConcurrentLinkedQueue<>();
  private final Set<String> told = new LinkedHashSet<>();
  private final Set<Path> paths = new HashSet<>();

  private record Found(String path, String line) {}

  /** Prints to the terminal's errors. */
  public DamageLines(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void corruptionFound(CorruptionFound event) {
    add(
        event.path(),
        event.table() == null ? " was skipped as far as it is damaged: " : " was left aside: ",
        event.cause());
  }

  /** Another that was left aside. */
  public void leftAside(String path, Throwable cause) {
    add(path, " was left aside: ", cause);
  }

  private void add(String path, String what, Throwable cause) {
    found.add(
        new Found(path, FailureReporter.oneLine(path + what + FailureReporter.describe(cause))));
  }

  /** Prints those that were found since the last time, without those that were printed before. */
  public void tell() {
    for (Found each = found.poll(); each != null; each = found.poll()) {
      paths.add(key(Path.of(each.path())));
      if (told.add(each.line())) {
        terminal.errorLine(each.line());
      }
    }
  }

  private static Path key(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /** Whether it was told of the file. */
  public boolean isTold(Path file) {
    return paths.contains(key(file));
  }

  /** Those that were told, without what stands before each on the terminal. */
  public List<String> told() {
    return List.copyOf(told);
  }
}
