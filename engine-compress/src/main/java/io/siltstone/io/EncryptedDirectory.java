package io.siltstone.io;

import io.siltstone.text.PrintableText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Encryption at rest: a directory that encrypts the files of another one with AES-256-GCM, in pages
 * of 4 KiB, by keys that a callback supplies. All that the engine writes goes through such a
 * directory if the database is opened over it:
 *
 * <pre>
 *   Directory files = EncryptedDirectory.over(NioDirectory.open(path), keys);
 *   Database database = Database.open(files, options);
 * </pre>
 *
 * <p>Names, directories, locks and links are those of the directory inside. A file has a header
 * with the id of its key and a random salt, from which and from the key the file's own key is
 * derived. Each page is authenticated together with its position, so that a page that was changed,
 * moved or copied from another file is a {@link CorruptFileException} with the path and the offset
 * in the content. So is a file that was cut, unless it was cut to nothing. Files that are created
 * with {@link WriteIntent#LOG} may have a torn tail after a power loss. In these, what cannot be
 * authenticated reads as zeros, as sectors that were never written do, and their readers' own
 * checksums decide whether that is a torn tail or damage.
 *
 * <p>A file of another kind is refused by an {@link UnsupportedFileException}; a file whose key is
 * unknown or does not fit by a {@link KeyException}. An empty file, such as that of a lock, has no
 * header, and neither has one whose creation was interrupted by a power loss.
 *
 * <p>What differs from the directory inside: reads for a compaction are buffered where they would
 * bypass the page cache. The header of a {@link WriteIntent#LOG} file is synced when the file is
 * created. A file that was created for a flush or a compaction shows its last page only after
 * {@link WritableFile#sync()} or {@link WritableFile#close()}. {@link #truncate}, and {@link
 * #append} to a file with a torn tail, write the file anew under the name with {@value
 * #TEMPORARY_SUFFIX} and rename it; so its other names keep the old content.
 *
 * <p>Safe for use by all threads, if the keys are.
 */
public final class EncryptedDirectory implements Directory {
  // This is no ForwardingDirectory, since the link of that class unwraps its target: files that are
  // not encrypted could get a name in an encrypted directory.

  /** Ends the name of a file that is being written anew. */
  static final String TEMPORARY_SUFFIX = ".tmp";

  private static final int COPY_BYTES = 64 * EncryptedFormat.CONTENT_BYTES;

  private final Directory inner;
  private final Keys keys;
  private final PageCiphers ciphers;
  // The paths of files that are written in whole pages, and do not have the last one yet.
  private final Set<String> unfinished;

  /**
   * The callback that supplies keys. To rotate keys, return a new id from {@link #current}: new
   * files are encrypted with the new key, and files of old keys can be read as long as {@link #key}
   * returns them. Compactions write the data of old files anew.
   *
   * <p>Called for every file that is created or opened, by the thread that does so. Safe for use by
   * all threads, and quick: an implementation that asks a key server remembers the answers.
   */
  public interface Keys {

    /**
     * Returns the id of the key for new files: 1 to 128 bytes in UTF-8, which are stored in each
     * file as they are.
     *
     * @throws IOException if it cannot be found out; the file is then not created
     */
    String current() throws IOException;

    /**
     * Returns a key, or null if there is none of that id. Only a key with {@linkplain
     * SecretKey#getEncoded() encoded} bytes can be used: 16 to 64 random bytes, 32 by preference.
     *
     * @throws IOException if it cannot be found out, as when a key server does not answer
     */
    @Nullable SecretKey key(String id) throws IOException;

    /** Returns keys that know a single key. */
    static Keys of(String id, SecretKey key) {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(key, "key");
      return new Keys() {
        @Override
        public String current() {
          return id;
        }

        @Override
        public @Nullable SecretKey key(String asked) {
          return asked.equals(id) ? key : null;
        }
      };
    }
  }

  /** Thrown when the key of a file is lost, or is another one. The file need not be damaged. */
  public static final class KeyException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The reason why the key cannot be used. */
    public enum Reason {
      /** {@link Keys#key} returned null for the id in the file. */
      UNKNOWN,
      /** The key that {@link Keys#key} returned is not the one that encrypted the file. */
      WRONG
    }

    private final String path;
    private final String keyId;
    private final Reason reason;

    KeyException(String path, String keyId, Reason reason) {
      super(
          PrintableText.of(
              path
                  + (reason == Reason.UNKNOWN
                      ? " is encrypted with the key '" + keyId + "', which is unknown"
                      : " was not encrypted with the key that is given for '" + keyId + "'")));
      this.path = path;
      this.keyId = keyId;
      this.reason = reason;
    }

    /** Returns the full path of the file. */
    public String path() {
      return path;
    }

    /** Returns the id of the file's key. */
    public String keyId() {
      return keyId;
    }

    /** Returns whether the key is unknown or wrong. */
    public Reason reason() {
      return reason;
    }
  }

  private EncryptedDirectory(
      Directory inner, Keys keys, PageCiphers ciphers, Set<String> unfinished) {
    this.inner = inner;
    this.keys = keys;
    this.ciphers = ciphers;
    this.unfinished = unfinished;
  }

  /**
   * Returns a directory whose files are those of another one, encrypted.
   *
   * @param inner has nothing but encrypted files and directories of such
   */
  public static EncryptedDirectory over(Directory inner, Keys keys) {
    Objects.requireNonNull(inner, "inner");
    Objects.requireNonNull(keys, "keys");
    return new EncryptedDirectory(inner, keys, new PageCiphers(), ConcurrentHashMap.newKeySet());
  }

  /**
   * Checks that a file that was read without keys is not encrypted.
   *
   * @param path of the file, for the message
   * @param head its content, or at least the first {@value EncryptedFormat#HEADER_BYTES} bytes of
   *     it
   * @throws KeyException with {@link KeyException.Reason#UNKNOWN} if it is encrypted
   */
  public static void requirePlain(String path, byte[] head) throws KeyException {
    String id = EncryptedHeader.keyId(head);
    if (id != null) {
      throw new KeyException(path, id, KeyException.Reason.UNKNOWN);
    }
  }

  @Override
  public String path() {
    return inner.path();
  }

  private String pathOf(String name) {
    return inner.path() + "/" + name;
  }

  @Override
  public List<String> files() throws IOException {
    return inner.files();
  }

  @Override
  public List<String> directories() throws IOException {
    return inner.directories();
  }

  @Override
  public List<Entry> entries() throws IOException {
    // No file is opened for its length.
    return inner.entries();
  }

  @Override
  public Directory directory(String name) throws IOException {
    return rewrap(inner.directory(name));
  }

  @Override
  public Directory existingDirectory(String name) throws IOException {
    return rewrap(inner.existingDirectory(name));
  }

  /** Returns the other directory, encrypted with the same keys. */
  @Override
  public Directory rewrap(Directory other) {
    return new EncryptedDirectory(inner.rewrap(other), keys, ciphers, unfinished);
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    inner.deleteDirectory(name);
  }

  @Override
  public boolean exists(String name) throws IOException {
    return inner.exists(name);
  }

  /** Returns the length of the content in bytes, which the file's header and last page say. */
  @Override
  public long length(String name) throws IOException {
    try (ReadableFile file = open(name, ReadIntent.POINT_READ)) {
      return file.length();
    }
  }

  @Override
  public OptionalLong namesChangedMillis() throws IOException {
    return inner.namesChangedMillis();
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    return inner.lastModifiedMillis(name);
  }

  @Override
  public @Nullable Object identity(String name) throws IOException {
    return inner.identity(name);
  }

  /**
   * Opens an existing file.
   *
   * @throws KeyException if its key is unknown or wrong
   * @throws CorruptFileException if its header is damaged or its end is missing
   * @throws UnsupportedFileException if it is not encrypted, or by a later version
   */
  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    ReadableFile stored = inner.open(name, intent);
    if (stored.alignment() != 1) {
      stored.close();
      stored = inner.open(name, ReadIntent.SCAN);
    }
    try {
      EncryptedHeader header = EncryptedHeader.read(stored, keys);
      boolean isUnfinished = unfinished.contains(pathOf(name));
      EncryptedLayout layout = EncryptedLayout.read(stored, header, isUnfinished, ciphers);
      return new EncryptedReader(stored, header, layout, ciphers);
    } catch (Throwable e) {
      closeAfter(stored, e);
      throw e;
    }
  }

  @Override
  public WritableFile create(String name, WriteIntent intent) throws IOException {
    EncryptedHeader header = EncryptedHeader.create(pathOf(name), keys, intent == WriteIntent.LOG);
    WritableFile stored = inner.create(name, intent);
    try {
      if (intent != WriteIntent.FLUSH && intent != WriteIntent.COMPACTION) {
        return begin(stored, header, null);
      }
      String path = pathOf(name);
      unfinished.add(path);
      return begin(stored, header, () -> unfinished.remove(path));
    } catch (Throwable e) {
      closeAfter(stored, e);
      unfinished.remove(pathOf(name));
      try {
        inner.delete(name);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /**
   * @param whenClosed is run when the file is closed, if it is written in whole pages; else null
   */
  private WritableFile begin(
      WritableFile stored, EncryptedHeader header, @Nullable Runnable whenClosed)
      throws IOException {
    stored.write(header.bytes());
    if (header.isLog()) {
      // After this sync a power loss may tear the pages, but not the header before them.
      stored.sync();
    }
    return new EncryptedWriter(stored, header, EncryptedLayout.EMPTY, ciphers, whenClosed);
  }

  /**
   * Opens an existing file to write after its last byte. What a torn tail has after that byte is
   * removed.
   *
   * @throws KeyException as {@link #open} does
   */
  @Override
  public WritableFile append(String name) throws IOException {
    EncryptedHeader header;
    EncryptedLayout layout;
    try (ReadableFile stored = inner.open(name, ReadIntent.SCAN)) {
      header = EncryptedHeader.read(stored, keys);
      layout = EncryptedLayout.read(stored, header, false, ciphers);
      if (header.isMissing() && stored.length() > 0) {
        inner.truncate(name, 0);
      }
    }
    if (layout.isTorn()) {
      rewrite(name, layout.length());
      return append(name);
    }
    WritableFile stored = inner.append(name);
    try {
      return header.isMissing()
          ? begin(stored, EncryptedHeader.create(pathOf(name), keys, false), null)
          : new EncryptedWriter(stored, header, layout, ciphers, null);
    } catch (Throwable e) {
      closeAfter(stored, e);
      throw e;
    }
  }

  @Override
  public void truncate(String name, long length) throws IOException {
    long present = length(name);
    if (length < 0 || length > present) {
      throw new IllegalArgumentException(
          pathOf(name) + " has " + present + " bytes, cannot be cut to " + length);
    }
    rewrite(name, length);
  }

  /** Replaces a file, durably and atomically, by one with the beginning of its content. */
  private void rewrite(String name, long length) throws IOException {
    String temporary = name + TEMPORARY_SUFFIX;
    if (inner.exists(temporary)) {
      inner.delete(temporary);
    }
    try (ReadableFile from = open(name, ReadIntent.SCAN)) {
      boolean isLog = ((EncryptedReader) from).isLog();
      try (WritableFile to = create(temporary, isLog ? WriteIntent.LOG : WriteIntent.OTHER)) {
        copy(from, to, length);
        to.sync();
      }
    }
    inner.rename(temporary, name);
    inner.sync();
  }

  private static void copy(ReadableFile from, WritableFile to, long length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    for (long at = 0; at < length; at += buffer.limit()) {
      buffer.clear().limit((int) Math.min(COPY_BYTES, length - at));
      from.readFully(at, buffer);
      to.write(buffer.flip());
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    inner.rename(from, to);
  }

  /**
   * Gives an existing file a second name, which does not encrypt it again. The target must be
   * encrypted with the same keys.
   */
  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    inner.link(existing, insideOf(target), name);
  }

  @Override
  public void linkSynced(String existing, Directory target, String name) throws IOException {
    inner.linkSynced(existing, insideOf(target), name);
  }

  /** Returns the directory inside of another one that can read this one's files. */
  private Directory insideOf(Directory target) {
    if (!(target instanceof EncryptedDirectory other) || !other.keys.equals(keys)) {
      throw new IllegalArgumentException(
          target.path() + " is not encrypted with the same keys as " + path());
    }
    return other.inner;
  }

  @Override
  public void delete(String name) throws IOException {
    inner.delete(name);
  }

  @Override
  public void sync() throws IOException {
    inner.sync();
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return inner.lock(name);
  }

  @Override
  public long usableSpace() throws IOException {
    return inner.usableSpace();
  }

  private static void closeAfter(Closeable file, Throwable failure) {
    try {
      file.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Returns the {@link #path()}. */
  @Override
  public String toString() {
    return path();
  }
}
