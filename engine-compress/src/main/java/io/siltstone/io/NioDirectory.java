package io.siltstone.io;

import com.sun.nio.file.ExtendedOpenOption;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of the operating system's file system.
 *
 * <p>Files are read by {@link FileChannel}, mapped, or with direct I/O, as {@link NioOptions}
 * determine for the purpose. An interrupt of a thread disturbs neither its own I/O nor that of
 * others, and is kept. Where the file system refuses direct I/O, buffered I/O is used instead,
 * which is logged once per directory.
 */
public final class NioDirectory implements Directory {
  private static final Logger LOG = LoggerFactory.getLogger(NioDirectory.class);

  // The minimum block size of disks, to which buffers can be aligned.
  private static final int LEAST_ALIGNMENT = 512;
  private static final int MOST_ALIGNMENT = 1 << 20;

  private final Path directory;
  private final NioOptions options;
  private final AtomicBoolean directRefused;
  // The buffers of files that are written by direct I/O: freed when the files are closed, rather
  // than when the heap is full.
  private final MemoryBudget writeBuffers;

  private NioDirectory(
      Path directory, NioOptions options, AtomicBoolean directRefused, MemoryBudget writeBuffers) {
    this.directory = directory;
    this.options = options;
    this.directRefused = directRefused;
    this.writeBuffers = writeBuffers;
  }

  /**
   * Opens the directory at a path with default options; it is created with its parents if missing.
   */
  public static NioDirectory open(Path directory) throws IOException {
    return open(directory, NioOptions.DEFAULT);
  }

  /**
   * Opens the directory at a path, which is created with its parents if missing. Its name is
   * durable, and those of the parents that were created; also if it exists, because the process
   * that created it may have died before.
   */
  public static NioDirectory open(Path directory, NioOptions options) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    make(absolute);
    return at(absolute, options);
  }

  /** Begins with the innermost existing directory, whose own name may not be durable yet. */
  private static void make(Path absolute) throws IOException {
    Path there = absolute;
    Path above = absolute.getParent();
    while (above != null && !Files.exists(there)) {
      there = above;
      above = there.getParent();
    }
    if (above == null) {
      above = there;
    }
    boolean isMade = there.equals(absolute);
    if (isMade && !(Files.isDirectory(absolute) && Files.isReadable(above))) {
      // Where the operating system refuses the sync, the directory existed before.
      return;
    }
    List<String> names = new ArrayList<>();
    above.relativize(absolute).forEach(name -> names.add(name.toString()));
    names.remove("");
    at(above, NioOptions.DEFAULT).makeDirectories(names);
  }

  private static NioDirectory at(Path absolute, NioOptions options) throws IOException {
    if (Files.exists(absolute) && !Files.isDirectory(absolute)) {
      throw new NotDirectoryException(absolute.toString());
    }
    return new NioDirectory(absolute, options, new AtomicBoolean(), PooledMemory.unlimited());
  }

  /** Opens an existing directory at a path, with default options. */
  public static NioDirectory openExisting(Path directory) throws IOException {
    return openExisting(directory, NioOptions.DEFAULT);
  }

  /**
   * Opens an existing directory at a path.
   *
   * @throws NoSuchFileException if it is missing
   */
  public static NioDirectory openExisting(Path directory, NioOptions options) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    if (!Files.exists(absolute)) {
      throw new NoSuchFileException(absolute.toString(), null, "the directory is missing");
    }
    return at(absolute, options);
  }

  /**
   * Moves a directory with all that it contains to another path of the same file system,
   * atomically. Nothing in it may be open. After a crash it is at one of the two paths.
   *
   * @throws NoSuchFileException if it is missing, or the directory that it is moved into
   * @throws FileAlreadyExistsException if something is there already
   */
  public static void moveDirectory(Path from, Path to) throws IOException {
    if (!Files.isDirectory(from)) {
      throw new NoSuchFileException(from.toString(), null, "the directory is missing");
    }
    // A rename would replace an empty directory.
    if (Files.exists(to)) {
      throw new FileAlreadyExistsException(to.toString());
    }
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private Path resolve(String name) {
    return directory.resolve(Directory.requireFileName(name));
  }

  /**
   * Returns the path of a file. The name must not be that of a directory, which the kernel would
   * open and move.
   */
  private Path resolveFile(String name) throws IOException {
    Path file = resolve(name);
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a directory");
    }
    return file;
  }

  @Override
  public String path() {
    return directory.toString();
  }

  @Override
  public List<String> files() throws IOException {
    return list(path -> !Files.isDirectory(path));
  }

  @Override
  public List<String> directories() throws IOException {
    return list(Files::isDirectory);
  }

  private List<String> list(Predicate<Path> kind) throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> paths = Files.list(directory)) {
      paths.filter(kind).forEach(path -> names.add(path.getFileName().toString()));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    names.sort(null);
    return names;
  }

  @Override
  public OptionalLong namesChangedMillis() throws IOException {
    return OptionalLong.of(Files.getLastModifiedTime(directory).toMillis());
  }

  @Override
  public List<Entry> entries() throws IOException {
    return NioListing.of(directory);
  }

  @Override
  public Directory directory(String name) throws IOException {
    Path child = resolve(name);
    if (!Files.isDirectory(child)) {
      try {
        Files.createDirectory(child);
      } catch (FileAlreadyExistsException e) {
        // A file has this name, or another thread has created the directory.
        if (!Files.isDirectory(child)) {
          throw e;
        }
      }
    }
    return new NioDirectory(child, options, directRefused, writeBuffers);
  }

  @Override
  public Directory existingDirectory(String name) throws IOException {
    Path child = resolve(name);
    if (!Files.isDirectory(child)) {
      throw new NoSuchFileException(child.toString());
    }
    return new NioDirectory(child, options, directRefused, writeBuffers);
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    Path child = resolve(name);
    if (!Files.isDirectory(child)) {
      throw Files.exists(child)
          ? new NotDirectoryException(child.toString())
          : new NoSuchFileException(child.toString());
    }
    Files.delete(child);
  }

  @Override
  public boolean exists(String name) {
    return Files.isRegularFile(resolve(name));
  }

  @Override
  public long length(String name) throws IOException {
    return Files.size(resolveFile(name));
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    return Files.getLastModifiedTime(resolveFile(name)).toMillis();
  }

  @Override
  public @Nullable Object identity(String name) throws IOException {
    return ExclusiveLock.identity(resolveFile(name));
  }

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    Path file = resolve(name);
    if (intent == ReadIntent.WHOLE) {
      return LoadedFile.open(file);
    }
    if (intent == ReadIntent.COMPACTION && options.directReads() && !directRefused.get()) {
      try {
        return ChannelFile.open(
            file,
            blockBytes(file),
            () -> FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT));
      } catch (UnsupportedOperationException | IOException e) {
        noDirect(file, e);
      }
    }
    if (options.maps(intent)) {
      Path mapped = resolveFile(name);
      return Uninterrupted.call(() -> MappedFile.open(mapped));
    }
    return ChannelFile.open(file);
  }

  @Override
  public WritableFile create(String name, WriteIntent intent) throws IOException {
    Path file = resolve(name);
    UninterruptibleChannel buffered =
        new UninterruptibleChannel(
            file,
            FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            () -> FileChannel.open(file, StandardOpenOption.WRITE));
    return writable(file, buffered, 0, intent);
  }

  /** Takes over the channel. */
  private WritableFile writable(
      Path file, UninterruptibleChannel buffered, long position, WriteIntent intent)
      throws IOException {
    FileSync durable = null;
    try {
      durable = FileSync.open(file);
      if (intent == WriteIntent.COMPACTION && options.directWrites() && !directRefused.get()) {
        try {
          return createDirect(file, buffered, durable);
        } catch (UnsupportedOperationException | IOException e) {
          noDirect(file, e);
        }
      }
      return new ChannelWritableFile(file, buffered, durable, position);
    } catch (Throwable e) {
      if (durable != null) {
        durable.close();
      }
      buffered.close();
      throw e;
    }
  }

  private WritableFile createDirect(Path file, UninterruptibleChannel buffered, FileSync durable)
      throws IOException {
    int alignment = blockBytes(file);
    UninterruptibleChannel direct =
        UninterruptibleChannel.open(
            file,
            () -> FileChannel.open(file, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT));
    try {
      return new DirectWritableFile(file, direct, buffered, durable, alignment, writeBuffers);
    } catch (Throwable e) {
      direct.close();
      throw e;
    }
  }

  private static int blockBytes(Path file) throws IOException {
    return alignment(Files.getFileStore(file).getBlockSize());
  }

  /**
   * Returns the alignment for direct I/O in bytes.
   *
   * @throws UnsupportedOperationException if buffers cannot be aligned to it
   */
  static int alignment(long blockBytes) {
    if (blockBytes > MOST_ALIGNMENT || Long.bitCount(blockBytes) != 1) {
      throw new UnsupportedOperationException("blocks of " + blockBytes + " bytes");
    }
    return (int) Math.max(LEAST_ALIGNMENT, blockBytes);
  }

  /**
   * Stops direct I/O for the directory if the file system refuses it; otherwise the next file tries
   * it again.
   */
  private void noDirect(Path file, Exception reason) throws IOException {
    if (reason instanceof NoSuchFileException missing) {
      throw missing;
    }
    boolean isForGood =
        reason instanceof UnsupportedOperationException
            || String.valueOf(reason.getMessage()).contains("Invalid argument");
    if (!isForGood) {
      LOG.info("no direct I/O on {} this time: {}", file, reason.toString());
    } else if (directRefused.compareAndSet(false, true)) {
      LOG.warn("no direct I/O on {}, buffered I/O is used instead: {}", file, reason.toString());
    }
  }

  @Override
  public WritableFile append(String name) throws IOException {
    Path file = resolve(name);
    UninterruptibleChannel channel =
        UninterruptibleChannel.open(file, () -> FileChannel.open(file, StandardOpenOption.WRITE));
    long length;
    try {
      length = Files.size(file);
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
    return writable(file, channel, length, WriteIntent.OTHER);
  }

  @Override
  public void truncate(String name, long length) throws IOException {
    Path file = resolve(name);
    Uninterrupted.run(() -> truncate(file, length));
  }

  private static void truncate(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (length < 0 || length > channel.size()) {
        throw new IllegalArgumentException(
            file + " has " + channel.size() + " bytes, cannot be cut to " + length);
      }
      cut(file, channel, length);
      force(file, channel);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(resolveFile(from), resolveFile(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    if (!(target instanceof NioDirectory other)) {
      throw new IllegalArgumentException(
          target.path() + " is not of the same file system as " + path());
    }
    Files.createLink(other.resolve(name), resolveFile(existing));
  }

  @Override
  public void delete(String name) throws IOException {
    Files.delete(resolveFile(name));
  }

  @Override
  public void sync() throws IOException {
    sync(directory);
  }

  private static void sync(Path directory) throws IOException {
    Uninterrupted.run(
        () -> {
          try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            force(directory, channel);
          }
        });
  }

  private static void cut(Path file, FileChannel channel, long length) throws IOException {
    try {
      channel.truncate(length);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(file + " cannot be cut to " + length + ": " + e.getMessage(), e);
    }
  }

  private static void force(Path file, FileChannel channel) throws IOException {
    try {
      channel.force(true);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new SyncFailedException(file.toString(), e);
    }
  }

  @Override
  public Closeable lock(String name) throws IOException {
    Path file = resolveFile(name);
    return ExclusiveLock.take(file, directory.toRealPath().resolve(name).toString());
  }

  @Override
  public long usableSpace() throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  /** Returns the {@link #path()}. */
  @Override
  public String toString() {
    return path();
  }
}
