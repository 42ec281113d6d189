package io.siltstone.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.siltstone.io.contract.DirectoryContract;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NioDirectoryTest {
  @TempDir private Path folder;

  @Nested
  class Standard extends DirectoryContract {
    @Override
    protected Directory newDirectory() throws IOException {
      return open(NioOptions.DEFAULT.withDiskAccessMode(DiskAccessMode.STANDARD));
    }
  }

  @Nested
  class Mapped extends DirectoryContract {
    @Override
    protected Directory newDirectory() throws IOException {
      return open(NioOptions.DEFAULT.withDiskAccessMode(DiskAccessMode.MMAP));
    }
  }

  @Nested
  class IndexMapped extends DirectoryContract {
    @Override
    protected Directory newDirectory() throws IOException {
      return open(NioOptions.DEFAULT.withDiskAccessMode(DiskAccessMode.MMAP_INDEX_ONLY));
    }
  }

  @Nested
  class Direct extends DirectoryContract {
    @Override
    protected Directory newDirectory() throws IOException {
      return open(NioOptions.DEFAULT.withDirectIo(true, true));
    }
  }

  @Test
  void aDirectoryIsMovedWithItsContentAndReplacesNothing(@TempDir Path parent) throws IOException {
    Path from = parent.resolve("from");
    Path to = parent.resolve("to");
    assertThatThrownBy(() -> NioDirectory.moveDirectory(from, to))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(from.toString());
    Files.createDirectories(from.resolve("child"));
    Files.createDirectory(to);
    assertThatThrownBy(() -> NioDirectory.moveDirectory(from, to))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(to.toString());
    Files.delete(to);
    NioDirectory.moveDirectory(from, to);
    assertThat(from).doesNotExist();
    assertThat(to.resolve("child")).isDirectory();
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without such checks can do
  void anAccessModeMustBeGiven() {
    assertThatThrownBy(() -> NioOptions.DEFAULT.withDiskAccessMode(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("diskAccessMode");
  }

  private NioDirectory open(NioOptions options) throws IOException {
    return NioDirectory.open(folder.resolve("directory"), options);
  }

  @Test
  void purposesBecomeWaysOfAccess() throws IOException {
    NioDirectory directory = open(NioOptions.DEFAULT.withDirectIo(true, true));
    directory.create("file", WriteIntent.OTHER).close();
    try (ReadableFile index = directory.open("file", ReadIntent.INDEX);
        ReadableFile point = directory.open("file", ReadIntent.POINT_READ);
        ReadableFile compaction = directory.open("file", ReadIntent.COMPACTION)) {
      assertThat(index).isInstanceOf(MappedFile.class);
      assertThat(point).isInstanceOf(ChannelFile.class);
      assumeThat(compaction.alignment()).as("a file system with direct I/O").isGreaterThan(1);
      assertThat(Integer.bitCount(compaction.alignment())).isEqualTo(1);
    }
    NioDirectory mapping = open(NioOptions.DEFAULT.withDiskAccessMode(DiskAccessMode.MMAP));
    NioDirectory standard = open(NioOptions.DEFAULT.withDiskAccessMode(DiskAccessMode.STANDARD));
    try (ReadableFile mapped = mapping.open("file", ReadIntent.POINT_READ);
        ReadableFile scanned = mapping.open("file", ReadIntent.SCAN);
        ReadableFile read = standard.open("file", ReadIntent.INDEX)) {
      assertThat(mapped).isInstanceOf(MappedFile.class);
      assertThat(scanned).isInstanceOf(ChannelFile.class);
      assertThat(read).isInstanceOf(ChannelFile.class);
    }
  }

  @Test
  void aFileIsTheSameThroughSymbolicLinks() throws IOException {
    NioDirectory directory = NioDirectory.open(folder.resolve("directory"));
    directory.create("file", WriteIntent.OTHER).close();
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("directory"));
    Files.createSymbolicLink(folder.resolve("directory/second"), folder.resolve("directory/file"));
    assertThat(NioDirectory.openExisting(folder.resolve("link")).identity("second"))
        .isNotNull()
        .isEqualTo(directory.identity("file"));
  }

  @Test
  void missingParentsAreMadeAndAFileIsNoDirectory() throws IOException {
    Path deep = folder.resolve("a/b/c");
    assertThat(NioDirectory.open(deep).path()).isEqualTo(deep.toString());
    assertThat(deep).isDirectory();
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> NioDirectory.open(file))
        .isInstanceOf(NotDirectoryException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void aVanishedDirectoryIsAnExceptionWithItsPath() throws IOException {
    NioDirectory directory = open(NioOptions.DEFAULT);
    Files.delete(Path.of(directory.path()));
    assertThatIOException().isThrownBy(directory::files).withMessageContaining(directory.path());
    assertThatIOException().isThrownBy(directory::sync).withMessageContaining(directory.path());
    assertThatIOException()
        .isThrownBy(() -> directory.create("a", WriteIntent.COMPACTION))
        .withMessageContaining(directory.path());
  }

  /** Files of others may have names that are no text in the locale of the process. */
  @Test
  void filesWithAnyNamesAreListed() throws IOException {
    NioDirectory directory = open(NioOptions.DEFAULT);
    directory.create("file", WriteIntent.OTHER).close();
    Path odd = Path.of(URI.create(folder.resolve("directory").toUri() + "%ff%fe.bin"));
    boolean isMade;
    try {
      Files.createFile(odd);
      isMade = true;
    } catch (IOException e) {
      isMade = false;
    }
    assumeThat(isMade).as("a file system with names of any bytes").isTrue();
    assertThat(directory.entries()).hasSize(2);
    assertThat(directory.entries().stream().map(Directory.Entry::name).toList())
        .isEqualTo(directory.files());
  }

  @Test
  void afterAFailedWriteAFileIsOnlyClosed() throws IOException {
    assumeThat(Files.exists(Path.of("/dev/full"))).isTrue();
    WritableFile file = NioDirectory.open(Path.of("/dev")).append("full");
    assertThatIOException()
        .isThrownBy(() -> file.write(ByteBuffer.allocate(10)))
        .withMessageContaining("No space left");
    assertThatIOException()
        .isThrownBy(() -> file.write(ByteBuffer.allocate(10)))
        .withMessageContaining("/dev/full")
        .withMessageContaining("No space left");
    assertThatIOException().isThrownBy(file::sync).withMessageContaining("No space left");
    file.close();
    file.close();
  }

  @Test
  void aLockHoldsAgainstAnotherProcess() throws Exception {
    NioDirectory directory = open(NioOptions.DEFAULT);
    try (Closeable lock = directory.lock("LOCK")) {
      assertThat(lock).isNotNull();
      try (Holder other = new Holder(directory.path())) {
        assertThat(other.answer()).startsWith("refused").contains(directory.path() + "/LOCK");
      }
    }
    try (Holder other = new Holder(directory.path())) {
      assertThat(other.answer()).isEqualTo("locked true");
      assertThatIOException()
          .isThrownBy(() -> directory.lock("LOCK"))
          .withMessageContaining(directory.path() + "/LOCK");
    }
    directory.lock("LOCK").close();
  }

  @Test
  void aRefusedSecondLockDoesNotReleaseTheFirst() throws Exception {
    NioDirectory directory = open(NioOptions.DEFAULT);
    try (Closeable lock = directory.lock("LOCK")) {
      assertThat(lock).isNotNull();
      assertThatIOException().isThrownBy(() -> directory.lock("LOCK"));
      Path alias = Files.createSymbolicLink(folder.resolve("alias"), Path.of(directory.path()));
      assertThatIOException().isThrownBy(() -> NioDirectory.open(alias).lock("LOCK"));
      try (Holder other = new Holder(directory.path())) {
        assertThat(other.answer()).startsWith("refused");
      }
    }
  }

  /** What holds it may have been forgotten, and is found by this only. */
  @Test
  void aRefusedLockSaysWhereItWasTaken() throws Exception {
    NioDirectory directory = open(NioOptions.DEFAULT);
    // Called from a class that is not of the engine.
    FutureTask<Closeable> taking = new FutureTask<>(() -> directory.lock("LOCK"));
    Thread thread = new Thread(taking, "forgetful");
    thread.start();
    try (Closeable lock = taking.get()) {
      assertThat(lock).isNotNull();
      assertThatThrownBy(() -> directory.lock("LOCK"))
          .isInstanceOf(LockedException.class)
          .hasMessageContainingAll(
              "LOCK is locked by this process, since ",
              " by thread 'forgetful' at ",
              FutureTask.class.getName() + ".run(FutureTask.java:");
    }
  }

  /** As in an application server, where each application has classes of its own. */
  @Test
  void aSecondCopyOfTheEngineDoesNotReleaseTheLockEither() throws Exception {
    NioDirectory directory = open(NioOptions.DEFAULT);
    try (Closeable lock = directory.lock("LOCK");
        URLClassLoader copy =
            new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      assertThat(lock).isNotNull();
      Class<?> other = copy.loadClass(NioDirectory.class.getName());
      assertThat(other).isNotSameAs(NioDirectory.class);
      Object same = other.getMethod("open", Path.class).invoke(null, Path.of(directory.path()));
      assertThatThrownBy(() -> other.getMethod("lock", String.class).invoke(same, "LOCK"))
          .rootCause()
          .hasMessageStartingWith(directory.path() + "/LOCK is locked by this process, since ");
      try (Holder process = new Holder(directory.path())) {
        assertThat(process.answer()).startsWith("refused");
      }
    }
  }

  private static URL[] classPath() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(Path.of(each).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  @Test
  void aKilledProcessHoldsNothing() throws Exception {
    NioDirectory directory = open(NioOptions.DEFAULT);
    try (Holder other = new Holder(directory.path())) {
      assertThat(other.answer()).isEqualTo("locked true");
      other.process.destroyForcibly().waitFor();
      directory.lock("LOCK").close();
    }
  }

  /** A {@link LockHolder} as a process. */
  private static final class Holder implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    Holder(String directory) throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx32m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  LockHolder.class.getName(),
                  directory,
                  "LOCK")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      output = process.inputReader(StandardCharsets.UTF_8);
    }

    String answer() throws IOException {
      return String.valueOf(output.readLine());
    }

    @Override
    public void close() throws IOException {
      process.getOutputStream().close();
      process.onExit().join();
    }
  }
}
