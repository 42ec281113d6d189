package io.siltstone.backup;

import io.siltstone.files.LockFile;
import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.LockedException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A directory of backups.
 *
 * <pre>
 *   lock                 held while a backup is added or deleted
 *   files/SHA256         a content, named by its hash; once, however many backups have it
 *   backups/ID.jsonl     a {@link Manifest}; there is a backup if and only if it is there
 * </pre>
 *
 * A manifest gets its name when all contents are durable, and loses it before they are deleted. So
 * a crash leaves at most contents that no manifest names, which the next holder of the lock
 * deletes. Immutable, safe for all threads.
 */
public final class BackupStore {
  private static final String LOCK = "lock";
  private static final String CONTENTS = "files";
  private static final String MANIFESTS = "backups";
  private static final Pattern MANIFEST = Pattern.compile("([1-9][0-9]{0,17})\\.jsonl");

  private final Directory root;

  /** Takes any directory: what is missing is created with the first backup. */
  public BackupStore(Directory root) {
    this.root = root;
  }

  /** Returns the path of the directory. */
  public String path() {
    return root.path();
  }

  /** Returns the ids of all backups, ascending. */
  public List<Long> ids() throws IOException {
    List<Long> ids = new ArrayList<>();
    if (root.directories().contains(MANIFESTS)) {
      for (String name : root.directory(MANIFESTS).files()) {
        Matcher matcher = MANIFEST.matcher(name);
        if (matcher.matches()) {
          ids.add(Long.parseLong(matcher.group(1)));
        }
      }
    }
    ids.sort(null);
    return ids;
  }

  /**
   * Reads the manifest of a backup.
   *
   * @throws NoSuchFileException if there is no such backup
   * @throws CorruptFileException if the manifest is damaged
   */
  public Manifest read(long id) throws IOException {
    if (!ids().contains(id)) {
      throw new NoSuchFileException(root.path(), null, "there is no backup " + id);
    }
    Directory manifests = root.directory(MANIFESTS);
    String name = fileOf(id);
    try {
      Manifest manifest = Manifest.parse(TextFile.read(manifests, name));
      if (manifest.id() != id) {
        throw new IllegalArgumentException("it is of backup " + manifest.id());
      }
      return manifest;
    } catch (IllegalArgumentException e) {
      throw new CorruptFileException(
          manifests.path() + "/" + name,
          CorruptFileException.WHOLE_FILE,
          "is not the manifest of a backup: "
              + e.getMessage()
              + "; if backup "
              + id
              + " is deleted, the others can be used",
          e);
    }
  }

  /** Returns the manifests of all backups, by ascending id; otherwise as {@link #read}. */
  public List<Manifest> readAll() throws IOException {
    List<Manifest> all = new ArrayList<>();
    for (long id : ids()) {
      all.add(read(id));
    }
    return all;
  }

  private static String fileOf(long id) {
    return id + ".jsonl";
  }

  /**
   * Takes the lock by which backups are added and deleted, one at a time.
   *
   * @throws LockedException if another holder has it
   */
  LockFile lock() throws IOException {
    try {
      return LockFile.take(root, LOCK);
    } catch (LockedException e) {
      LockedException locked =
          new LockedException(
              root.path() + " is locked: a backup is being made there, or backups are deleted");
      locked.initCause(e);
      throw locked;
    }
  }

  /** Returns the directory of contents, durably; creates it if it is missing. */
  Directory makeContents() throws IOException {
    return root.makeDirectories(List.of(CONTENTS));
  }

  /** Lists a backup, durably. The contents are durable already. */
  void add(Manifest manifest) throws IOException {
    Directory manifests = root.makeDirectories(List.of(MANIFESTS));
    TextFile.replace(manifests, fileOf(manifest.id()), manifest.text());
  }

  /**
   * Deletes backups, and the contents that only they have.
   *
   * @throws NoSuchFileException if there is no such backup; none is deleted then
   */
  public void delete(List<Long> ids) throws IOException {
    if (!ids().containsAll(ids)) {
      throw new NoSuchFileException(root.path(), null, "there are no backups " + ids);
    }
    try (LockFile lock = lock()) {
      Directory manifests = root.directory(MANIFESTS);
      for (long id : ids) {
        manifests.delete(fileOf(id));
      }
      manifests.sync();
      removeOrphans(lock);
    }
  }

  /**
   * Deletes all backups but the last ones.
   *
   * @param keep the number of backups that are kept
   * @return the ids of those deleted
   */
  public List<Long> prune(int keep) throws IOException {
    if (!root.directories().contains(MANIFESTS)) {
      return List.of();
    }
    List<Long> ids = ids();
    List<Long> old = ids.subList(0, Math.max(0, ids.size() - keep));
    delete(old);
    return List.copyOf(old);
  }

  /**
   * Deletes contents that no manifest names, and the remains of an interrupted backup.
   *
   * @param lock which the caller holds
   */
  void removeOrphans(LockFile lock) throws IOException {
    Set<String> named = new HashSet<>();
    for (Manifest manifest : readAll()) {
      manifest.files().forEach(file -> named.add(file.sha256()));
    }
    lock.requireOwned();
    Directory contents = makeContents();
    boolean isChanged = false;
    for (String name : contents.files()) {
      if (!named.contains(name)) {
        contents.delete(name);
        isChanged = true;
      }
    }
    if (isChanged) {
      contents.sync();
    }
  }

  /**
   * Opens the content of a file.
   *
   * @throws CorruptFileException if it is missing or has another length
   */
  ReadableFile open(long id, BackupFile file, ReadIntent intent) throws IOException {
    Directory contents = existingContents();
    ReadableFile opened;
    try {
      opened = contents.open(file.sha256(), intent);
    } catch (NoSuchFileException e) {
      throw damaged(id, file, "is missing", e);
    }
    if (opened.length() != file.length()) {
      try (opened) {
        throw damaged(id, file, "has " + opened.length() + " bytes, not " + file.length(), null);
      }
    }
    return opened;
  }

  private Directory existingContents() throws IOException {
    if (!root.directories().contains(CONTENTS)) {
      throw new NoSuchFileException(root.path() + "/" + CONTENTS);
    }
    return root.directory(CONTENTS);
  }

  /** Returns the exception for a content that is not as a backup had stored it. */
  CorruptFileException damaged(long id, BackupFile file, String what, @Nullable Throwable cause) {
    return new CorruptFileException(
        root.path() + "/" + CONTENTS + "/" + file.sha256(),
        CorruptFileException.WHOLE_FILE,
        what + "; it is " + file.path() + " in backup " + id,
        cause);
  }

  /** Returns the exception for a content that does not have its hash. */
  CorruptFileException changed(long id, BackupFile file) {
    return damaged(id, file, "has a content whose SHA-256 is not its name", null);
  }

  /**
   * Compares the content of a file with its hash.
   *
   * @return what is wrong with it
   */
  Optional<CorruptFileException> check(long id, BackupFile file, Pace pace) throws IOException {
    try (ReadableFile content = open(id, file, ReadIntent.SCAN)) {
      return ContentHash.of(content, file.length(), pace).equals(file.sha256())
          ? Optional.empty()
          : Optional.of(changed(id, file));
    } catch (CorruptFileException e) {
      return Optional.of(e);
    }
  }

  /**
   * Compares the contents of all files of a backup with their hashes.
   *
   * @return what is wrong, for each content that is damaged or missing
   * @throws IOException if a content cannot be read
   */
  public List<CorruptFileException> verify(Manifest manifest, Pace pace) throws IOException {
    List<CorruptFileException> wrong = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (BackupFile file : manifest.files()) {
      if (seen.add(file.sha256())) {
        check(manifest.id(), file, pace).ifPresent(wrong::add);
      }
    }
    return wrong;
  }
}
