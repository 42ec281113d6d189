package io.siltstone.testkit;

import io.siltstone.io.Directory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link SimulatedDisk}: the names as the running system sees them, the names on the
 * disk, and the changes between the two in their order. One lock guards all of it.
 */
final class SimulatedFileSystem {
  /** Guards all state of the disk, also that of its directories and files. */
  final Object lock = new Object();

  private final FileSystemModel model;
  private final SimulatedDirectory root = new SimulatedDirectory(this, "sim:");
  // Changes of names that no sync has made durable yet, oldest first.
  private final List<Change> pending = new ArrayList<>();
  private long operations;
  private long clockMillis = 1_700_000_000_000L;
  private long operationsLeft = Long.MAX_VALUE;
  private boolean lost;
  private String lastDone = "nothing";
  private String prevented = "nothing";

  SimulatedFileSystem(FileSystemModel model) {
    this.model = model;
  }

  /**
   * A change of what a name refers to: a {@link SimulatedFile}, a {@link SimulatedDirectory}, or
   * nothing.
   *
   * @param joined whether a journal keeps it together with the change before it
   */
  private record Change(
      SimulatedDirectory folder, String name, @Nullable Object after, boolean joined) {}

  Directory root() {
    return root;
  }

  void crashAfter(long count) {
    synchronized (lock) {
      operationsLeft = count;
    }
  }

  long operations() {
    synchronized (lock) {
      return operations;
    }
  }

  boolean isLost() {
    synchronized (lock) {
      return lost;
    }
  }

  String lastOperations() {
    synchronized (lock) {
      return "after " + lastDone + ", before " + prevented;
    }
  }

  /** Throws if the power was lost. Called with the lock held, like all methods below. */
  void requirePower() throws PowerLossException {
    if (lost) {
      throw new PowerLossException("the disk lost its power " + lastOperations());
    }
  }

  /** Begins an operation that changes the disk, unless the power is lost before it. */
  void begin(Operation operation, String path) throws PowerLossException {
    requirePower();
    if (operationsLeft == 0) {
      lost = true;
      prevented = operation + " of " + path;
      requirePower();
    }
    operationsLeft--;
    operations++;
    clockMillis += 1000;
    lastDone = operation + " of " + path;
  }

  /** Changes what a name refers to. */
  void change(SimulatedDirectory folder, String name, @Nullable Object after, boolean joined) {
    put(folder.names(), name, after);
    pending.add(new Change(folder, name, after, joined));
  }

  /** Returns the time for modified files. */
  long clockMillis() {
    return clockMillis;
  }

  private static void put(Map<String, Object> names, String name, @Nullable Object value) {
    if (value == null) {
      names.remove(name);
    } else {
      names.put(name, value);
    }
  }

  /** Makes changes of names durable, as the sync of a directory does. */
  void makeDurable(SimulatedDirectory folder) {
    for (Iterator<Change> changes = pending.iterator(); changes.hasNext(); ) {
      Change change = changes.next();
      if (model == FileSystemModel.JOURNALED || change.folder() == folder) {
        put(change.folder().durable(), change.name(), change.after());
        changes.remove();
      }
    }
  }

  /** Returns a file system as it may be found after a power loss. */
  SimulatedFileSystem powerLoss(long seed) {
    synchronized (lock) {
      lost = true;
      Random random = Seeds.random(seed);
      Map<SimulatedDirectory, Map<String, Object>> found = new HashMap<>();
      if (model == FileSystemModel.JOURNALED) {
        applyBeginning(found, random);
      } else {
        applyAny(found, random);
      }
      SimulatedFileSystem next = new SimulatedFileSystem(model);
      next.clockMillis = clockMillis;
      Map<SimulatedFile, SimulatedFile> files = new HashMap<>();
      copy(
          root,
          next.root,
          folder -> namesOf(found, folder),
          file -> files.computeIfAbsent(file, one -> one.afterPowerLoss(model, random)),
          next);
      return next;
    }
  }

  /** Returns a file system with everything that was written. */
  SimulatedFileSystem processDeath() {
    synchronized (lock) {
      lost = true;
      SimulatedFileSystem next = new SimulatedFileSystem(model);
      next.clockMillis = clockMillis;
      Map<SimulatedFile, SimulatedFile> files = new HashMap<>();
      copy(
          root,
          next.root,
          folder -> folder.names(),
          file -> files.computeIfAbsent(file, SimulatedFile::afterProcessDeath),
          next);
      return next;
    }
  }

  private static Map<String, Object> namesOf(
      Map<SimulatedDirectory, Map<String, Object>> found, SimulatedDirectory folder) {
    return found.computeIfAbsent(folder, missing -> new TreeMap<>(folder.durable()));
  }

  private void applyBeginning(Map<SimulatedDirectory, Map<String, Object>> found, Random random) {
    int count = random.nextInt(pending.size() + 1);
    while (count < pending.size() && pending.get(count).joined()) {
      count++;
    }
    for (Change change : pending.subList(0, count)) {
      put(namesOf(found, change.folder()), change.name(), change.after());
    }
  }

  private void applyAny(Map<SimulatedDirectory, Map<String, Object>> found, Random random) {
    // For each name, the changes up to a random one have happened.
    Map<SimulatedDirectory, Map<String, List<Change>>> byName = new HashMap<>();
    List<List<Change>> inOrder = new ArrayList<>();
    for (Change change : pending) {
      byName
          .computeIfAbsent(change.folder(), missing -> new TreeMap<>())
          .computeIfAbsent(
              change.name(),
              missing -> {
                List<Change> changes = new ArrayList<>();
                inOrder.add(changes);
                return changes;
              })
          .add(change);
    }
    for (List<Change> changes : inOrder) {
      int last = random.nextInt(changes.size() + 1) - 1;
      if (last >= 0) {
        Change change = changes.get(last);
        put(namesOf(found, change.folder()), change.name(), change.after());
      }
    }
  }

  private void copy(
      SimulatedDirectory from,
      SimulatedDirectory to,
      Function<SimulatedDirectory, Map<String, Object>> found,
      UnaryOperator<SimulatedFile> files,
      SimulatedFileSystem next) {
    found
        .apply(from)
        .forEach(
            (name, value) -> {
              Object copied;
              if (value instanceof SimulatedFile file) {
                copied = files.apply(file);
              } else {
                SimulatedDirectory child = new SimulatedDirectory(next, to.path() + "/" + name);
                copy((SimulatedDirectory) value, child, found, files, next);
                copied = child;
              }
              to.names().put(name, copied);
              to.durable().put(name, copied);
            });
  }
}
