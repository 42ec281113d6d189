package io.siltstone.liveset;

import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.files.TextFile;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Atomic flushes of several tables, and the file that decides them. An example: A and B are flushed
 * together.
 *
 * <pre>
 *   SSTables of A and B are written and named; the transaction logs X of A and Y of B list them
 *   {@value #FILE} is replaced: it has the names of X and Y       now both flushes have happened
 *   X and Y are deleted, durably; until then the file goes on to name them
 * </pre>
 *
 * A crash before the second step leaves transaction logs that do not commit, by which {@link
 * Recovery} removes the SSTables of both. A crash after it leaves logs that the file names: they
 * count as committed, and the SSTables of both stay. The names of the logs are unique, so that an
 * old file affects nothing.
 *
 * <p>The file stays, so that a reader beside the writer can tell whether tables were flushed while
 * it opened them: it has a line for each name, and a last line with the checksum.
 *
 * <p>Safe for all threads.
 */
public final class AtomicFlushes {
  /** The name of the file, in the directory of the database. */
  public static final String FILE = "atomic_flush";

  private static final Logger LOG = LoggerFactory.getLogger(AtomicFlushes.class);

  private final Directory root;
  private final WriteGuard guard;
  // Transaction logs of flushes that have happened, which may not be deleted yet. Guarded by this.
  private final Set<String> left = new LinkedHashSet<>();

  /**
   * @param root the directory of the database
   * @param guard is called before the file is replaced
   */
  public AtomicFlushes(Directory root, WriteGuard guard) {
    this.root = root;
    this.guard = guard;
  }

  /**
   * Returns the names of the transaction logs that the last atomic flush of a database has
   * committed; empty if there was none.
   *
   * @throws CorruptFileException if the file is damaged
   */
  public static Set<String> committed(Directory root) throws IOException {
    if (!root.exists(FILE)) {
      return Set.of();
    }
    Set<String> names = new TreeSet<>();
    for (String line : CheckedLines.read(root, FILE).lines().toList()) {
      if (!FoundTransactionLog.isName(line)) {
        throw CheckedLines.damaged(
            root, FILE, "the line '" + line + "' is no name of a transaction log", null);
      }
      names.add(line);
    }
    return names;
  }

  /**
   * Returns as {@link #committed(Directory)}, before the tables are opened for writing: what the
   * file says is durable when this returns.
   *
   * @param assumptions receives what is assumed if the file is damaged, for a lenient opening;
   *     empty for a strict one
   */
  public static Set<String> recover(Directory root, Optional<Consumer<RecoveryAssumed>> assumptions)
      throws IOException {
    TextFile.removeTemporary(root, FILE);
    if (!root.exists(FILE)) {
      return Set.of();
    }
    // The process may have died after it has renamed the file, and before that was durable.
    root.sync();
    try {
      return committed(root);
    } catch (CorruptFileException e) {
      if (assumptions.isEmpty()) {
        throw e;
      }
      assumptions
          .get()
          .accept(
              new RecoveryAssumed(
                  e.path(),
                  "the last flush of tables without a log has not happened, if it was interrupted: "
                      + e.reason()));
      root.delete(FILE);
      root.sync();
      return Set.of();
    }
  }

  /** Begins an atomic flush, to be closed by the caller, committed or not. */
  public AtomicFlush begin() {
    return new AtomicFlush(this);
  }

  /**
   * Decides that a flush has happened. Until its logs are {@linkplain #tidy tidied} up, the file
   * names them.
   *
   * @param logs the names of its transaction logs
   * @throws io.siltstone.io.InDoubtException if it is unknown whether it has happened
   * @throws IOException if it has not
   */
  synchronized void decide(Set<String> logs) throws IOException {
    guard.requireOwned();
    Set<String> names = new LinkedHashSet<>(left);
    names.addAll(logs);
    CheckedLines.replace(root, FILE, String.join("\n", names) + "\n");
    left.addAll(logs);
  }

  /** Deletes the transaction logs of a flush. */
  @FunctionalInterface
  interface Deletion {
    /** Deletes the logs, durably. */
    void run() throws IOException;
  }

  /** Deletes the logs of a flush that has happened; a failure does not undo it. */
  void tidy(Set<String> logs, Deletion deletion) {
    try {
      deletion.run();
      synchronized (this) {
        left.removeAll(logs);
      }
    } catch (IOException | RuntimeException | Error e) {
      // The file names them until the database is opened again.
      LOG.warn("{}: transaction logs of a flush that has happened are left", root.path(), e);
    }
  }
}
