package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.LockedException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link SimulatedDisk}: the names as the running system sees them, the names on the
 * disk, and the changes between the two in their order. One lock guards all of it.
 */
final class SimulatedFileSystem {
  private final FileSystemModel model;
  private final Object lock = new Object();
  private final Folder root = new Folder("sim:");
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
   * A change of what a name refers to: a {@link SimulatedFile}, a {@link Folder}, or nothing.
   *
   * @param joined whether a journal keeps it together with the change before it
   */
  private record Change(Folder folder, String name, @Nullable Object after, boolean joined) {}

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

  private void requirePower() throws PowerLossException {
    if (lost) {
      throw new PowerLossException("the disk lost its power " + lastOperations());
    }
  }

  /** Begins an operation that changes the disk. */
  private void begin(Operation operation, String path) throws PowerLossException {
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

  private void change(Folder folder, String name, @Nullable Object after, boolean joined) {
    put(folder.names, name, after);
    pending.add(new Change(folder, name, after, joined));
  }

  private static void put(Map<String, Object> names, String name, @Nullable Object value) {
    if (value == null) {
      names.remove(name);
    } else {
      names.put(name, value);
    }
  }

  private void makeDurable(Folder folder) {
    for (Iterator<Change> changes = pending.iterator(); changes.hasNext(); ) {
      Change change = changes.next();
      if (model == FileSystemModel.JOURNALED || change.folder == folder) {
        put(change.folder.durable, change.name, change.after);
        changes.remove();
      }
    }
  }

  /** Returns a file system as it may be found after a power loss. */
  SimulatedFileSystem powerLoss(long seed) {
    synchronized (lock) {
      lost = true;
      Random random = Seeds.random(seed);
      Map<Folder, Map<String, Object>> found = new HashMap<>();
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
          folder -> folder.names,
          file -> files.computeIfAbsent(file, SimulatedFile::afterProcessDeath),
          next);
      return next;
    }
  }

  private static Map<String, Object> namesOf(
      Map<Folder, Map<String, Object>> found, Folder folder) {
    return found.computeIfAbsent(folder, missing -> new TreeMap<>(folder.durable));
  }

  private void applyBeginning(Map<Folder, Map<String, Object>> found, Random random) {
    int count = random.nextInt(pending.size() + 1);
    while (count < pending.size() && pending.get(count).joined) {
      count++;
    }
    for (Change change : pending.subList(0, count)) {
      put(namesOf(found, change.folder), change.name, change.after);
    }
  }

  private void applyAny(Map<Folder, Map<String, Object>> found, Random random) {
    // For each name, the changes up to a random one have happened.
    Map<Folder, Map<String, List<Change>>> byName = new HashMap<>();
    List<List<Change>> inOrder = new ArrayList<>();
    for (Change change : pending) {
      byName
          .computeIfAbsent(change.folder, missing -> new TreeMap<>())
          .computeIfAbsent(
              change.name,
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
        put(namesOf(found, change.folder), change.name, change.after);
      }
    }
  }

  private void copy(
      Folder from,
      Folder to,
      Function<Folder, Map<String, Object>> found,
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
                Folder child = next.new Folder(to.path + "/" + name);
                copy((Folder) value, child, found, files, next);
                copied = child;
              }
              to.names.put(name, copied);
              to.durable.put(name, copied);
            });
  }

  /** A directory of the file system. */
  private final class Folder implements Directory {
    private final String path;
    private final TreeMap<String, Object> names = new TreeMap<>();
    private final TreeMap<String, Object> durable = new TreeMap<>();
    private final Set<String> locked = new HashSet<>();

    Folder(String path) {
      this.path = path;
    }

    private SimulatedFileSystem fileSystem() {
      return SimulatedFileSystem.this;
    }

    private String pathOf(String name) {
      return path + "/" + Directory.requireFileName(name);
    }

    private SimulatedFile existing(String name) throws NoSuchFileException {
      if (names.get(Directory.requireFileName(name)) instanceof SimulatedFile file) {
        return file;
      }
      throw new NoSuchFileException(pathOf(name));
    }

    private void requireFree(String name) throws FileAlreadyExistsException {
      if (names.containsKey(Directory.requireFileName(name))) {
        throw new FileAlreadyExistsException(pathOf(name));
      }
    }

    @Override
    public String path() {
      return path;
    }

    private List<String> names(Class<?> kind) throws IOException {
      synchronized (lock) {
        requirePower();
        return names.entrySet().stream()
            .filter(entry -> kind.isInstance(entry.getValue()))
            .map(Map.Entry::getKey)
            .toList();
      }
    }

    @Override
    public List<String> files() throws IOException {
      return names(SimulatedFile.class);
    }

    @Override
    public List<String> directories() throws IOException {
      return names(Folder.class);
    }

    @Override
    public Directory directory(String name) throws IOException {
      String childPath = pathOf(name);
      synchronized (lock) {
        requirePower();
        if (names.get(name) instanceof Folder child) {
          return child;
        }
        begin(Operation.MAKE_DIRECTORY, childPath);
        requireFree(name);
        Folder child = new Folder(childPath);
        change(this, name, child, false);
        return child;
      }
    }

    @Override
    public void deleteDirectory(String name) throws IOException {
      String childPath = pathOf(name);
      synchronized (lock) {
        begin(Operation.DELETE_DIRECTORY, childPath);
        if (!(names.get(name) instanceof Folder child)) {
          throw new NoSuchFileException(childPath);
        }
        if (!child.names.isEmpty()) {
          throw new DirectoryNotEmptyException(childPath);
        }
        change(this, name, null, false);
      }
    }

    @Override
    public boolean exists(String name) throws IOException {
      Directory.requireFileName(name);
      synchronized (lock) {
        requirePower();
        return names.get(name) instanceof SimulatedFile;
      }
    }

    @Override
    public long length(String name) throws IOException {
      synchronized (lock) {
        requirePower();
        return existing(name).length();
      }
    }

    @Override
    public long lastModifiedMillis(String name) throws IOException {
      synchronized (lock) {
        requirePower();
        return existing(name).modifiedMillis();
      }
    }

    @Override
    public Object identity(String name) throws IOException {
      synchronized (lock) {
        requirePower();
        return existing(name);
      }
    }

    @Override
    public ReadableFile open(String name, ReadIntent intent) throws IOException {
      synchronized (lock) {
        requirePower();
        return new Reader(pathOf(name), existing(name));
      }
    }

    @Override
    public WritableFile create(String name, WriteIntent intent) throws IOException {
      String filePath = pathOf(name);
      synchronized (lock) {
        begin(Operation.CREATE, filePath);
        requireFree(name);
        SimulatedFile file = new SimulatedFile(clockMillis);
        change(this, name, file, false);
        return new Writer(filePath, file);
      }
    }

    @Override
    public WritableFile append(String name) throws IOException {
      synchronized (lock) {
        requirePower();
        return new Writer(pathOf(name), existing(name));
      }
    }

    @Override
    public void truncate(String name, long length) throws IOException {
      synchronized (lock) {
        begin(Operation.TRUNCATE, pathOf(name));
        SimulatedFile file = existing(name);
        if (length < 0 || length > file.length()) {
          throw new IllegalArgumentException(
              pathOf(name) + " has " + file.length() + " bytes, cannot be cut to " + length);
        }
        file.truncate((int) length, clockMillis);
      }
    }

    @Override
    public void rename(String from, String to) throws IOException {
      String fromPath = pathOf(from);
      String toPath = pathOf(to);
      synchronized (lock) {
        begin(Operation.RENAME, fromPath + " to " + toPath);
        SimulatedFile file = existing(from);
        if (names.get(to) == file) {
          return;
        }
        if (names.get(to) instanceof Folder) {
          throw new FileAlreadyExistsException(toPath);
        }
        change(this, to, file, false);
        change(this, from, null, true);
      }
    }

    @Override
    public void link(String existing, Directory target, String name) throws IOException {
      if (!(SimulatedDisk.unwrap(target) instanceof Folder other)
          || other.fileSystem() != SimulatedFileSystem.this) {
        throw new IllegalArgumentException(
            target.path() + " is not of the same file system as " + path);
      }
      synchronized (lock) {
        begin(Operation.LINK, pathOf(existing) + " to " + other.pathOf(name));
        SimulatedFile file = existing(existing);
        other.requireFree(name);
        change(other, name, file, false);
      }
    }

    @Override
    public void delete(String name) throws IOException {
      String filePath = pathOf(name);
      synchronized (lock) {
        begin(Operation.DELETE, filePath);
        existing(name);
        change(this, name, null, false);
      }
    }

    @Override
    public void sync() throws IOException {
      synchronized (lock) {
        begin(Operation.SYNC_DIRECTORY, path);
        makeDurable(this);
      }
    }

    @Override
    public Closeable lock(String name) throws IOException {
      String filePath = pathOf(name);
      synchronized (lock) {
        requirePower();
        if (locked.contains(name)) {
          throw new LockedException(filePath + " is locked by this process");
        }
        if (!names.containsKey(name)) {
          begin(Operation.CREATE, filePath);
          change(this, name, new SimulatedFile(clockMillis), false);
        }
        existing(name);
        locked.add(name);
        return new Lock(this, name);
      }
    }

    @Override
    public long usableSpace() throws IOException {
      synchronized (lock) {
        requirePower();
        return 1L << 40;
      }
    }

    @Override
    public String toString() {
      return path;
    }
  }

  private final class Lock implements Closeable {
    private final Folder folder;
    private final String name;
    private boolean released;

    Lock(Folder folder, String name) {
      this.folder = folder;
      this.name = name;
    }

    @Override
    public void close() {
      synchronized (lock) {
        if (!released) {
          released = true;
          folder.locked.remove(name);
        }
      }
    }
  }

  private final class Reader implements ReadableFile {
    private final String path;
    private final byte[] bytes;
    private final int length;
    private boolean closed;

    Reader(String path, SimulatedFile file) {
      this.path = path;
      this.bytes = file.bytes();
      this.length = file.length();
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public int read(long position, ByteBuffer dst) throws IOException {
      if (position < 0) {
        throw new IllegalArgumentException(
            path + ": position " + position + ", allowed 0 and more");
      }
      synchronized (lock) {
        if (closed) {
          throw new ClosedChannelException();
        }
        requirePower();
        int count = (int) Math.max(0, Math.min(dst.remaining(), length - position));
        if (count > 0) {
          dst.put(bytes, (int) position, count);
        }
        return count;
      }
    }

    @Override
    public void close() {
      synchronized (lock) {
        closed = true;
      }
    }

    @Override
    public String toString() {
      return path;
    }
  }

  private final class Writer implements WritableFile {
    private final String path;
    private final SimulatedFile file;
    private boolean closed;

    Writer(String path, SimulatedFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public long position() {
      synchronized (lock) {
        return file.length();
      }
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
      synchronized (lock) {
        requireOpen();
        begin(Operation.WRITE, path);
        if (src.remaining() > Integer.MAX_VALUE - 8 - file.length()) {
          throw new IOException(path + " would have more than 2 GiB");
        }
        byte[] bytes = new byte[src.remaining()];
        src.get(bytes);
        file.append(bytes, bytes.length, clockMillis);
      }
    }

    @Override
    public void sync() throws IOException {
      synchronized (lock) {
        requireOpen();
        begin(Operation.SYNC, path);
        file.sync();
      }
    }

    private void requireOpen() throws ClosedChannelException {
      if (closed) {
        throw new ClosedChannelException();
      }
    }

    @Override
    public void close() {
      synchronized (lock) {
        closed = true;
      }
    }

    @Override
    public String toString() {
      return path;
    }
  }
}
