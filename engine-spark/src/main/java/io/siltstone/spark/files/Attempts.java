package io.siltstone.spark.files;

import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The directories to which the attempts of a job's tasks write, below the directory of the table:
 * {@code attempts-JOB/TASK}. No reader looks into them.
 */
public final class Attempts {
  private Attempts() {}

  /** Creates the directory of a job's attempts, before any of them begins. */
  public static void begin(String target, String attempts) throws IOException {
    var unused = NioDirectory.open(Storage.localPath(target).resolve(attempts));
  }

  /**
   * Creates the directory of an attempt.
   *
   * @throws NoSuchFileException if the job has ended, or this machine does not have its directory
   */
  public static Directory create(String target, String attempts, String name) throws IOException {
    return NioDirectory.openExisting(Storage.localPath(target).resolve(attempts)).directory(name);
  }

  private static Path path(String target, String attempts, String name) {
    return Storage.localPath(target).resolve(attempts).resolve(name);
  }

  /** Lists the directory of an attempt. */
  public static TableDirectory list(Storage storage, String target, String attempts, String name)
      throws IOException {
    return TableDirectory.list(storage, path(target, attempts, name).toString());
  }

  /** Removes an attempt, if it is there. */
  public static void delete(String target, String attempts, String name) throws IOException {
    try {
      delete(NioDirectory.openExisting(Storage.localPath(target).resolve(attempts)), name);
    } catch (NoSuchFileException e) {
      // The job has removed all attempts.
    }
  }

  /** Removes all attempts of a job, if there are any. */
  public static void deleteAll(String target, String attempts) throws IOException {
    try {
      Directory table = NioDirectory.openExisting(Storage.localPath(target));
      Directory all = table.existingDirectory(attempts);
      for (String name : all.directories()) {
        delete(all, name);
      }
      table.deleteDirectory(attempts);
    } catch (NoSuchFileException e) {
      // No task has begun, or an attempt has removed itself meanwhile.
    }
  }

  private static void delete(Directory all, String name) throws IOException {
    Directory attempt = all.existingDirectory(name);
    List<String> files = attempt.files();
    for (String file : files) {
      attempt.delete(file);
    }
    all.deleteDirectory(name);
  }
}
