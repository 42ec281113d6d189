package io.siltstone.kafka.streams.host;

import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place of the database in the directory of its application, which is another one while no
 * store is open:
 *
 * <pre>
 *   APPLICATION/siltstone          while a store is open, and after a crash
 *   APPLICATION/global/siltstone-closed   after the last store was closed
 * </pre>
 *
 * <p>{@code KafkaStreams.cleanUp}, which is called when no store is open, deletes the directories
 * of tasks and the directory of global stores, whether there are such stores or not, and nothing
 * else. So it deletes the database as well, and the directory of the application, which is empty
 * then. While stores are open the database must not be in that directory: Kafka also deletes it to
 * wipe the global stores alone. For the same reason the database of an application that has global
 * stores, of whatever kind, is not moved: their directory has files then.
 *
 * <p>A crash leaves the database at one of the two places, as a rename is atomic. The caller
 * serializes calls. Source: StateDirectory, GlobalStateUpdateTask of Kafka 4.3 and 4.4.
 */
final class DatabaseHome {
  /** The directory of the database in that of the application. */
  static final String DIRECTORY = "siltstone";

  /** The directory of global stores in that of the application. */
  static final String GLOBAL = "global";

  private static final String CLOSED = "siltstone-closed";
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseHome.class);

  private final Path directory;
  private final Path global;
  private final Path closed;

  /**
   * @param application the directory of the application
   */
  DatabaseHome(Path application) {
    directory = application.resolve(DIRECTORY);
    global = application.resolve(GLOBAL);
    closed = global.resolve(CLOSED);
  }

  /** Returns the path of the directory of the database while a store is open. */
  Path directory() {
    return directory;
  }

  /** Returns the directory of the database, to which it is moved back if it was put aside. */
  Directory take() throws IOException {
    try {
      NioDirectory.moveDirectory(closed, directory);
      // Not synced: after a loss of power the database is at one of the two places.
      return NioDirectory.openExisting(directory);
    } catch (NoSuchFileException e) {
      // It is there already, after a crash, or there is none yet.
    } catch (FileAlreadyExistsException e) {
      LOG.warn("{} is used, and {} is left alone", directory, closed);
    }
    return NioDirectory.open(directory);
  }

  /** Puts the database aside, after it was closed. */
  void putAside() {
    try {
      if (isUsed(NioDirectory.open(global))) {
        LOG.info(
            "{} stays where it is, as Kafka may delete {}, which global stores use",
            directory,
            global);
        return;
      }
      NioDirectory.moveDirectory(directory, closed);
    } catch (IOException e) {
      LOG.warn(
          "{} stays where it is, so that KafkaStreams.cleanUp does not delete it", directory, e);
    }
  }

  // The stores of an application may be of several engines, of which only Siltstone's have a table.
  private static boolean isUsed(Directory global) throws IOException {
    return !global.files().isEmpty()
        || global.directories().stream().anyMatch(name -> !name.equals(CLOSED));
  }
}
