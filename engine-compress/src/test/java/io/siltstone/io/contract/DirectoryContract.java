package io.siltstone.io.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.LockedException;
import io.siltstone.io.MemoryDirectory;
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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of {@link Directory} and its files, run for every implementation. */
public abstract class DirectoryContract {
  // Room for reads of any alignment.
  private static final int MAX_ALIGNMENT = 65_536;

  private Directory directory = new MemoryDirectory();

  /** A new, empty directory. */
  protected abstract Directory newDirectory() throws IOException;

  /** How often a file is read while its reader is interrupted; fewer if reads take long. */
  protected int interruptedReads() {
    return 300;
  }

  @BeforeEach
  final void openDirectory() throws IOException {
    directory = newDirectory();
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void write(Directory directory, String name, byte[] content) throws IOException {
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(content));
      file.sync();
    }
  }

  private static byte[] content(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      return read(file, 0, (int) file.length());
    }
  }

  /** Reads as the file's alignment demands. */
  private static byte[] read(ReadableFile file, long position, int length) throws IOException {
    int alignment = file.alignment();
    long start = position / alignment * alignment;
    int skip = (int) (position - start);
    int room = (skip + length + alignment - 1) / alignment * alignment;
    ByteBuffer buffer = ByteBuffer.allocateDirect(room + alignment).alignedSlice(alignment);
    buffer.limit(room);
    int count = file.read(start, buffer);
    assertThat(buffer.position()).isEqualTo(count);
    buffer.flip().position(Math.min(skip, count));
    byte[] result = new byte[Math.min(length, buffer.remaining())];
    buffer.get(result);
    return result;
  }

  private static void interrupt() {
    Thread.currentThread().interrupt();
  }

  // Names

  @Test
  void entriesAreTheFilesAndDirectoriesWithLengthsAndTimes() throws IOException {
    write(directory, "b", bytes(1, 10));
    write(directory, "a", bytes(2, 0));
    var unused = directory.directory("aa");
    List<Directory.Entry> entries = directory.entries();
    assertThat(entries).extracting(Directory.Entry::name).containsExactly("a", "aa", "b");
    assertThat(entries)
        .extracting(Directory.Entry::isDirectory)
        .containsExactly(false, true, false);
    assertThat(entries)
        .extracting(Directory.Entry::lastModifiedMillis)
        .containsExactly(directory.lastModifiedMillis("a"), 0L, directory.lastModifiedMillis("b"));
    // Encryption adds to the length as it is stored.
    assertThat(entries.get(1).length()).isZero();
    assertThat(entries.get(2).length()).isGreaterThanOrEqualTo(10);
    assertThat(entries.get(2).length()).isGreaterThan(entries.get(0).length());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "/a", "a/", "../a", "a\\b", "a\0b"})
  void whatIsNoSingleNameIsRefused(String name) throws IOException {
    write(directory, "there", bytes(1, 10));
    List<ThrowingCallable> calls =
        List.of(
            () -> directory.directory(name),
            () -> directory.deleteDirectory(name),
            () -> directory.exists(name),
            () -> directory.length(name),
            () -> directory.open(name, ReadIntent.SCAN),
            () -> directory.create(name, WriteIntent.OTHER),
            () -> directory.append(name),
            () -> directory.truncate(name, 0),
            () -> directory.rename(name, "b"),
            () -> directory.rename("there", name),
            () -> directory.link(name, directory, "b"),
            () -> directory.link("there", directory, name),
            () -> directory.delete(name),
            () -> directory.lock(name));
    for (int i = 0; i < calls.size(); i++) {
      assertThatIllegalArgumentException()
          .as("call %d", i)
          .isThrownBy(calls.get(i))
          .withMessageContaining("'" + name + "'");
    }
    assertThat(directory.files()).containsExactly("there");
  }

  @Test
  void oddNamesAreNames() throws IOException {
    List<String> names =
        List.of("a b", "..a", "a..", "-rf", "*?", "a:b", "%41", "tab\there", "nb-1-big-Data.db");
    for (String name : names) {
      write(directory, name, name.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    assertThat(directory.files()).containsExactlyElementsOf(names.stream().sorted().toList());
    for (String name : names) {
      assertThat(new String(content(directory, name), java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo(name);
      directory.delete(name);
    }
    assertThat(directory.files()).isEmpty();
  }

  @Test
  void aMissingNameIsNoSuchFileWithItsPath() {
    List<ThrowingCallable> calls =
        List.of(
            () -> directory.length("none"),
            () -> directory.open("none", ReadIntent.SCAN),
            () -> directory.open("none", ReadIntent.INDEX),
            () -> directory.open("none", ReadIntent.POINT_READ),
            () -> directory.open("none", ReadIntent.COMPACTION),
            () -> directory.append("none"),
            () -> directory.truncate("none", 0),
            () -> directory.rename("none", "b"),
            () -> directory.link("none", directory, "b"),
            () -> directory.delete("none"),
            () -> directory.deleteDirectory("none"));
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i))
          .as("call %d", i)
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContaining(directory.path() + "/none");
    }
  }

  @Test
  void aDirectoryIsNoFile() throws IOException {
    directory.directory("child");
    directory.directory("empty");
    write(directory, "file", bytes(1, 3));
    List<ThrowingCallable> calls =
        List.of(
            () -> directory.length("child"),
            () -> directory.open("child", ReadIntent.SCAN),
            () -> directory.open("child", ReadIntent.INDEX),
            () -> directory.open("child", ReadIntent.POINT_READ),
            () -> directory.open("child", ReadIntent.COMPACTION),
            () -> directory.append("child"),
            () -> directory.truncate("child", 0),
            () -> directory.create("child", WriteIntent.OTHER),
            () -> directory.create("child", WriteIntent.COMPACTION),
            () -> directory.rename("child", "b"),
            () -> directory.rename("file", "empty"),
            () -> directory.link("child", directory, "b"),
            () -> directory.link("file", directory, "child"),
            () -> directory.delete("child"),
            () -> directory.lock("child"));
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i))
          .as("call %d", i)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(directory.path() + "/");
    }
    assertThat(directory.exists("child")).isFalse();
    assertThat(directory.files()).containsExactly("file");
    assertThat(directory.directories()).containsExactly("child", "empty");
  }

  @Test
  void filesAndDirectoriesAreListedSortedAndApart() throws IOException {
    for (String name : List.of("b", "a", "c", "B", "10", "9")) {
      write(directory, name, new byte[0]);
      directory.directory("d" + name);
    }
    assertThat(directory.files()).containsExactly("10", "9", "B", "a", "b", "c");
    assertThat(directory.directories()).containsExactly("d10", "d9", "dB", "da", "db", "dc");
    assertThat(directory.directory("da").files()).isEmpty();
    assertThat(directory.directory("da").path()).isEqualTo(directory.path() + "/da");
  }

  @Test
  void existingDirectoriesAreNotCreated() throws IOException {
    assertThatThrownBy(() -> directory.existingDirectory("child"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("child");
    assertThat(directory.directories()).isEmpty();
    write(directory.directory("child"), "file", bytes(1, 5));
    assertThat(directory.existingDirectory("child").files()).containsExactly("file");
    assertThat(directory.existingDirectory("child").path()).isEqualTo(directory.path() + "/child");
    write(directory, "file", bytes(1, 5));
    assertThatThrownBy(() -> directory.existingDirectory("file")).isInstanceOf(IOException.class);
  }

  @Test
  void aChildDirectoryIsMadeOnceAndRemovedWhenEmpty() throws IOException {
    write(directory.directory("child"), "file", bytes(1, 5));
    assertThat(directory.directory("child").files()).containsExactly("file");
    assertThatThrownBy(() -> directory.deleteDirectory("child"))
        .isInstanceOf(DirectoryNotEmptyException.class)
        .hasMessageContaining(directory.path() + "/child");
    directory.directory("child").delete("file");
    directory.deleteDirectory("child");
    assertThat(directory.directories()).isEmpty();

    write(directory, "file", bytes(1, 5));
    assertThatThrownBy(() -> directory.directory("file"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(directory.path() + "/file");
    assertThatThrownBy(() -> directory.deleteDirectory("file")).isInstanceOf(IOException.class);
    assertThat(directory.exists("file")).isTrue();
  }

  @Test
  void manyThreadsMayMakeTheSameChildDirectory() throws Exception {
    for (int round = 0; round < 50; round++) {
      String name = "child-" + round;
      CountDownLatch start = new CountDownLatch(1);
      inParallel(
          4,
          () -> {
            start.countDown();
            start.await();
            assertThat(directory.directory(name).files()).isEmpty();
            return null;
          });
    }
    assertThat(directory.directories()).hasSize(50);
  }

  // Writing

  @ParameterizedTest
  @EnumSource(WriteIntent.class)
  void whatIsWrittenIsThere(WriteIntent intent) throws IOException {
    byte[] expected = bytes(2, 3_000_001);
    Random random = new Random(3);
    try (WritableFile file = directory.create("file", intent)) {
      assertThat(file.path()).isEqualTo(directory.path() + "/file");
      assertThat(directory.exists("file")).isTrue();
      for (int at = 0; at < expected.length; ) {
        int part = Math.min(expected.length - at, random.nextInt(1 << random.nextInt(21)));
        ByteBuffer src = source(random.nextInt(4), expected, at, part);
        file.write(src);
        assertThat(src.hasRemaining()).isFalse();
        at += part;
        assertThat(file.position()).isEqualTo(at);
        if (random.nextInt(8) == 0) {
          file.sync();
          assertThat(directory.length("file")).isEqualTo(at);
        }
      }
    }
    assertThat(directory.length("file")).isEqualTo(expected.length);
    assertThat(content(directory, "file")).isEqualTo(expected);
  }

  /** The same bytes as different buffers: only those from position to limit count. */
  private static ByteBuffer source(int kind, byte[] bytes, int at, int length) {
    return switch (kind) {
      case 0 -> ByteBuffer.wrap(bytes, at, length);
      case 1 -> ByteBuffer.wrap(bytes, at, length).asReadOnlyBuffer();
      case 2 ->
          ByteBuffer.allocate(length + 20).position(10).put(bytes, at, length).flip().position(10);
      default -> ByteBuffer.allocateDirect(length).put(bytes, at, length).flip();
    };
  }

  @ParameterizedTest
  @EnumSource(WriteIntent.class)
  void anEmptyFileIsAFile(WriteIntent intent) throws IOException {
    try (WritableFile file = directory.create("file", intent)) {
      assertThat(file.position()).isZero();
      file.write(ByteBuffer.allocate(0));
      file.sync();
    }
    assertThat(directory.exists("file")).isTrue();
    assertThat(directory.length("file")).isZero();
    for (ReadIntent reading : ReadIntent.values()) {
      try (ReadableFile file = directory.open("file", reading)) {
        assertThat(file.length()).isZero();
        assertThat(read(file, 0, 100)).isEmpty();
        assertThat(read(file, MAX_ALIGNMENT, 100)).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(WriteIntent.class)
  void aTakenNameIsNotCreatedAgain(WriteIntent intent) throws IOException {
    byte[] content = bytes(4, 100);
    write(directory, "file", content);
    assertThatThrownBy(() -> directory.create("file", intent))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(directory.path() + "/file");
    assertThat(content(directory, "file")).isEqualTo(content);
  }

  @ParameterizedTest
  @EnumSource(WriteIntent.class)
  void aClosedFileTakesNothing(WriteIntent intent) throws IOException {
    WritableFile file = directory.create("file", intent);
    file.write(ByteBuffer.wrap(bytes(5, 700)));
    file.close();
    file.close();
    assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
    assertThatThrownBy(file::sync).isInstanceOf(IOException.class);
    file.close();
    assertThat(content(directory, "file")).isEqualTo(bytes(5, 700));
  }

  @ParameterizedTest
  @EnumSource(WriteIntent.class)
  void anOpenFileMayBeRenamedAndItsNameReused(WriteIntent intent) throws IOException {
    byte[] first = bytes(6, 10_001);
    byte[] second = bytes(7, 5_003);
    try (WritableFile file = directory.create("a", intent)) {
      file.write(ByteBuffer.wrap(first));
      file.sync();
      directory.rename("a", "b");
      write(directory, "a", second);
      file.write(ByteBuffer.wrap(second));
      file.sync();
    }
    assertThat(content(directory, "a")).isEqualTo(second);
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    assertThat(content(directory, "b")).isEqualTo(both);
  }

  @ParameterizedTest
  @EnumSource(WriteIntent.class)
  void anOpenFileMayBeDeleted(WriteIntent intent) throws IOException {
    try (WritableFile file = directory.create("a", intent)) {
      file.write(ByteBuffer.wrap(bytes(6, 10_001)));
      directory.delete("a");
    }
    assertThat(directory.files()).isEmpty();
  }

  @Test
  void appendContinuesBehindTheLastByte() throws IOException {
    byte[] expected = bytes(8, 9_000);
    write(directory, "file", Arrays.copyOf(expected, 5_000));
    try (WritableFile file = directory.append("file")) {
      assertThat(file.position()).isEqualTo(5_000);
      file.write(ByteBuffer.wrap(expected, 5_000, 4_000));
      assertThat(file.position()).isEqualTo(9_000);
      file.sync();
    }
    assertThat(content(directory, "file")).isEqualTo(expected);
  }

  @Test
  void truncateCutsTheEnd() throws IOException {
    byte[] content = bytes(9, 5_000);
    write(directory, "file", content);
    directory.truncate("file", 5_000);
    assertThat(content(directory, "file")).isEqualTo(content);
    directory.truncate("file", 1_234);
    assertThat(content(directory, "file")).isEqualTo(Arrays.copyOf(content, 1_234));
    for (long wrong : new long[] {-1, 1_235, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> directory.truncate("file", wrong))
          .withMessageContaining(directory.path() + "/file")
          .withMessageContaining("1234")
          .withMessageContaining(Long.toString(wrong));
    }
    try (WritableFile file = directory.append("file")) {
      file.write(ByteBuffer.wrap(content, 1_234, 6));
    }
    assertThat(content(directory, "file")).isEqualTo(Arrays.copyOf(content, 1_240));
    directory.truncate("file", 0);
    assertThat(directory.length("file")).isZero();
  }

  // Reading

  @ParameterizedTest
  @EnumSource(ReadIntent.class)
  void readsFillTheBufferOrEndWithTheFile(ReadIntent intent) throws IOException {
    byte[] content = bytes(10, 300_007);
    write(directory, "file", content);
    Random random = new Random(11);
    try (ReadableFile file = directory.open("file", intent)) {
      assertThat(file.path()).isEqualTo(directory.path() + "/file");
      assertThat(file.length()).isEqualTo(content.length);
      for (int i = 0; i < 200; i++) {
        int from = random.nextInt(content.length);
        int count = random.nextInt(1 << random.nextInt(19));
        assertThat(read(file, from, count))
            .as("%d bytes at %d", count, from)
            .isEqualTo(Arrays.copyOfRange(content, from, Math.min(content.length, from + count)));
      }
      assertThat(read(file, content.length - 1, 10)).containsExactly(content[content.length - 1]);
      assertThat(read(file, content.length, 10)).isEmpty();
      assertThat(read(file, 10L * MAX_ALIGNMENT, 10)).isEmpty();
      assertThat(read(file, 1L << 40, 10)).isEmpty();
      assertThat(read(file, 0, 0)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(ReadIntent.class)
  void anArrayIsFilledFromItsOffset(ReadIntent intent) throws IOException {
    byte[] content = bytes(12, 1_000);
    write(directory, "file", content);
    try (ReadableFile file = directory.open("file", intent)) {
      if (file.alignment() == 1) {
        byte[] dst = new byte[100];
        assertThat(file.read(500, dst, 10, 50)).isEqualTo(50);
        byte[] expected = new byte[100];
        System.arraycopy(content, 500, expected, 10, 50);
        assertThat(dst).isEqualTo(expected);
        assertThat(file.read(990, dst, 0, 100)).isEqualTo(10);
        assertThat(file.read(1_000, dst, 0, 100)).isZero();
        assertThat(file.read(5_000, dst, 0, 100)).isZero();

        ByteBuffer part = ByteBuffer.allocate(100).position(20).limit(30);
        assertThat(file.read(7, part)).isEqualTo(10);
        assertThat(part.position()).isEqualTo(30);
        assertThat(Arrays.copyOfRange(part.array(), 19, 31))
            .startsWith(0)
            .endsWith(0)
            .contains(Arrays.copyOfRange(content, 7, 17));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ReadIntent.class)
  void aNegativePositionIsRefused(ReadIntent intent) throws IOException {
    write(directory, "file", bytes(12, 1_000));
    try (ReadableFile file = directory.open("file", intent)) {
      ByteBuffer dst = ByteBuffer.allocateDirect(2 * MAX_ALIGNMENT).alignedSlice(MAX_ALIGNMENT);
      for (long position : new long[] {-1, -file.alignment(), Long.MIN_VALUE}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> file.read(position, dst))
            .withMessageContaining(file.path())
            .withMessageContaining(Long.toString(position));
        if (file.alignment() == 1) {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> file.read(position, new byte[10], 0, 10))
              .withMessageContaining(file.path());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ReadIntent.class)
  void theLengthIsFixedWhenAFileIsOpened(ReadIntent intent) throws IOException {
    byte[] content = bytes(13, 5_000);
    write(directory, "file", content);
    try (ReadableFile before = directory.open("file", intent)) {
      try (WritableFile more = directory.append("file")) {
        more.write(ByteBuffer.wrap(bytes(14, 100_000)));
      }
      assertThat(before.length()).isEqualTo(5_000);
      assertThat(read(before, 0, 50_000)).isEqualTo(content);
      assertThat(read(before, 4_990, 50_000)).isEqualTo(Arrays.copyOfRange(content, 4_990, 5_000));
      assertThat(read(before, 5_000, 100)).isEmpty();
      try (ReadableFile after = directory.open("file", intent)) {
        assertThat(after.length()).isEqualTo(105_000);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ReadIntent.class)
  void openReadersKeepTheBytesOfDeletedAndReplacedFiles(ReadIntent intent) throws IOException {
    byte[] deleted = bytes(15, 100_000);
    byte[] replaced = bytes(16, 100_000);
    write(directory, "deleted", deleted);
    write(directory, "replaced", replaced);
    write(directory, "new", bytes(17, 100_000));
    try (ReadableFile first = directory.open("deleted", intent);
        ReadableFile second = directory.open("replaced", intent)) {
      directory.delete("deleted");
      directory.rename("new", "replaced");
      assertThat(read(first, 0, 100_000)).isEqualTo(deleted);
      assertThat(read(second, 0, 100_000)).isEqualTo(replaced);
    }
    assertThat(content(directory, "replaced")).isEqualTo(bytes(17, 100_000));
  }

  @ParameterizedTest
  @EnumSource(ReadIntent.class)
  void aClosedReaderThrowsAtEveryPosition(ReadIntent intent) throws IOException {
    write(directory, "file", bytes(18, 10_000));
    ReadableFile file = directory.open("file", intent);
    file.close();
    file.close();
    for (long position : new long[] {0, MAX_ALIGNMENT}) {
      for (int room : new int[] {0, MAX_ALIGNMENT}) {
        assertThatThrownBy(() -> read(file, position, room))
            .as("%d bytes at %d", room, position)
            .isInstanceOf(ClosedChannelException.class);
      }
      if (file.alignment() == 1) {
        assertThatThrownBy(() -> file.read(position, new byte[10], 0, 10))
            .isInstanceOf(ClosedChannelException.class);
      }
    }
    file.close();
  }

  @ParameterizedTest
  @EnumSource(ReadIntent.class)
  void manyThreadsMayReadAtOnce(ReadIntent intent) throws Exception {
    byte[] content = bytes(19, 500_000);
    write(directory, "file", content);
    try (ReadableFile file = directory.open("file", intent)) {
      inParallel(
          4,
          () -> {
            Random random = new Random(Thread.currentThread().getId());
            for (int i = 0; i < 300; i++) {
              int from = random.nextInt(content.length - 5_000);
              assertThat(read(file, from, 5_000))
                  .isEqualTo(Arrays.copyOfRange(content, from, from + 5_000));
            }
            return null;
          });
    }
  }

  @ParameterizedTest
  @EnumSource(ReadIntent.class)
  void closingUnderReadersEndsThemWithAnException(ReadIntent intent) throws Exception {
    byte[] content = bytes(20, 1 << 20);
    write(directory, "file", content);
    for (int round = 0; round < 5 * Integer.getInteger("siltstone.scale", 1); round++) {
      ReadableFile file = directory.open("file", intent);
      CountDownLatch reading = new CountDownLatch(3);
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        List<Future<?>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          readers.add(
              threads.submit(
                  () -> {
                    reading.countDown();
                    assertThatThrownBy(
                            () -> {
                              while (true) {
                                assertThat(read(file, 0, content.length)).isEqualTo(content);
                              }
                            })
                        .isInstanceOf(ClosedChannelException.class);
                    return null;
                  }));
        }
        reading.await();
        // Two at once: closing twice is allowed from any thread.
        Callable<Boolean> closing = () -> closed(file);
        readers.add(threads.submit(closing));
        file.close();
        for (Future<?> reader : readers) {
          reader.get();
        }
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private static boolean closed(Closeable file) throws IOException {
    file.close();
    return true;
  }

  @ParameterizedTest
  @EnumSource(ReadIntent.class)
  void anInterruptedReaderDisturbsNobodyElse(ReadIntent intent) throws Exception {
    byte[] content = bytes(21, 100_000);
    write(directory, "file", content);
    try (ReadableFile file = directory.open("file", intent)) {
      for (int round = 0; round < 20; round++) {
        inParallel(
            2,
            () -> {
              interrupt();
              assertThat(read(file, 0, 1_000)).isEqualTo(Arrays.copyOf(content, 1_000));
              return null;
            });
        assertThat(read(file, 0, content.length)).isEqualTo(content);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ReadIntent.class)
  void anInterruptNeverLeadsToTheBytesOfAnotherFile(ReadIntent intent) throws Exception {
    byte[] content = bytes(22, 100_000);
    write(directory, "file", content);
    try (ReadableFile file = directory.open("file", intent)) {
      directory.delete("file");
      write(directory, "file", bytes(23, 100_000));
      FutureTask<Void> reading =
          new FutureTask<>(
              () -> {
                for (int i = 0; i < interruptedReads(); i++) {
                  byte[] found;
                  try {
                    found = read(file, 0, content.length);
                  } catch (IOException e) {
                    // Allowed, if the file cannot be opened again. Wrong bytes are not.
                    found = content;
                  }
                  assertThat(found).isEqualTo(content);
                }
                return null;
              });
      Thread reader = new Thread(reading);
      reader.start();
      while (!reading.isDone()) {
        reader.interrupt();
        Thread.onSpinWait();
      }
      reading.get();
    }
  }

  @ParameterizedTest
  @EnumSource(WriteIntent.class)
  void anInterruptThatCameBeforeEndsNoCallAndIsKept(WriteIntent intent) throws IOException {
    byte[] content = bytes(51, 10_000);
    interrupt();
    try (WritableFile file = directory.create("new", intent)) {
      file.write(ByteBuffer.wrap(content));
      file.sync();
    }
    directory.sync();
    try (WritableFile file = directory.append("new")) {
      file.write(ByteBuffer.wrap(content));
      file.sync();
    }
    directory.rename("new", "file");
    directory.truncate("file", 12_000);
    directory.link("file", directory.directory("child"), "link");
    for (ReadIntent reading : ReadIntent.values()) {
      try (ReadableFile file = directory.open("file", reading)) {
        assertThat(read(file, 10_000, 5_000)).isEqualTo(Arrays.copyOf(content, 2_000));
      }
    }
    directory.lock("lock").close();
    directory.delete("file");
    assertThat(directory.files()).containsExactly("lock");
    assertThat(Thread.interrupted()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = WriteIntent.class,
      names = {"OTHER", "COMPACTION"})
  void interruptsWhileAFileIsWrittenDoItNoHarm(WriteIntent intent) throws Exception {
    byte[] content = bytes(52, 100_000);
    FutureTask<Void> writing =
        new FutureTask<>(
            () -> {
              try (WritableFile file = directory.create("file", intent)) {
                ByteBuffer source = ByteBuffer.wrap(content);
                for (int to = 1_000; to <= content.length; to += 1_000) {
                  file.write(source.limit(to));
                  if (to % 20_000 == 0) {
                    file.sync();
                    directory.sync();
                  }
                }
              }
              return null;
            });
    Thread writer = new Thread(writing);
    writer.start();
    for (int interrupts = 0; interrupts < 1_000 && !writing.isDone(); interrupts++) {
      writer.interrupt();
      Thread.onSpinWait();
    }
    writing.get();
    assertThat(content(directory, "file")).isEqualTo(content);
  }

  // Names change

  @Test
  void renameMovesAndReplaces() throws IOException {
    byte[] first = bytes(24, 100);
    byte[] second = bytes(25, 200);
    write(directory, "a", first);
    directory.rename("a", "b");
    assertThat(directory.files()).containsExactly("b");
    write(directory, "a", second);
    directory.rename("a", "b");
    assertThat(directory.files()).containsExactly("b");
    assertThat(content(directory, "b")).isEqualTo(second);
    directory.rename("b", "b");
    assertThat(content(directory, "b")).isEqualTo(second);
    directory.sync();
  }

  @Test
  void renameBetweenTwoNamesOfOneFileDoesNothing() throws IOException {
    write(directory, "a", bytes(26, 100));
    directory.link("a", directory, "b");
    directory.rename("a", "b");
    assertThat(directory.files()).containsExactly("a", "b");
  }

  @Test
  void aReplacedNameIsNeverAbsent() throws Exception {
    byte[] one = bytes(27, 3_000);
    byte[] other = bytes(28, 3_000);
    write(directory, "name", one);
    CountDownLatch done = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<?> reader =
          threads.submit(
              () -> {
                while (done.getCount() > 0) {
                  byte[] found = content(directory, "name");
                  assertThat(Arrays.equals(found, one) || Arrays.equals(found, other)).isTrue();
                }
                return null;
              });
      for (int i = 0; i < 100; i++) {
        write(directory, "new", i % 2 == 0 ? other : one);
        directory.rename("new", "name");
      }
      done.countDown();
      reader.get();
    } finally {
      done.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void aLinkIsASecondNameOfTheSameBytes() throws IOException {
    byte[] content = bytes(29, 1_000);
    write(directory, "a", content);
    write(directory, "taken", new byte[0]);
    Directory child = directory.directory("child");
    directory.link("a", directory, "b");
    directory.link("a", child, "c");
    assertThatThrownBy(() -> directory.link("a", directory, "taken"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(directory.path() + "/taken");
    try (WritableFile more = directory.append("b")) {
      more.write(ByteBuffer.wrap(new byte[] {1}));
    }
    directory.delete("a");
    assertThat(child.length("c")).isEqualTo(1_001);
    directory.delete("b");
    assertThat(content(child, "c")).isEqualTo(Arrays.copyOf(concat(content, (byte) 1), 1_001));
  }

  @Test
  void aFileIsTheSameUnderAllItsNames() throws IOException {
    write(directory, "a", bytes(30, 10));
    write(directory, "other", bytes(30, 10));
    Directory child = directory.directory("child");
    directory.link("a", child, "b");
    Object identity = directory.identity("a");
    assertThat(identity).isNotNull().isEqualTo(directory.identity("a"));
    assertThat(child.identity("b")).isEqualTo(identity);
    assertThat(directory.identity("other")).isNotEqualTo(identity);
    directory.rename("a", "renamed");
    assertThat(directory.identity("renamed")).isEqualTo(identity);
    assertThatThrownBy(() -> directory.identity("a")).isInstanceOf(NoSuchFileException.class);
  }

  private static byte[] concat(byte[] bytes, byte last) {
    byte[] result = Arrays.copyOf(bytes, bytes.length + 1);
    result[bytes.length] = last;
    return result;
  }

  @Test
  void aLinkIntoAnotherFileSystemIsRefused() throws IOException {
    write(directory, "a", new byte[1]);
    Directory foreign = new MemoryDirectory();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> directory.link("a", foreign, "b"))
        .withMessageContaining(directory.path())
        .withMessageContaining(foreign.path());
  }

  // Locks

  @Test
  void aLockIsHeldByOne() throws IOException {
    Closeable lock = directory.lock("LOCK");
    assertThat(directory.exists("LOCK")).isTrue();
    assertThatThrownBy(() -> directory.lock("LOCK"))
        .isInstanceOf(LockedException.class)
        .hasMessageContaining(directory.path() + "/LOCK");
    try (Closeable other = directory.lock("OTHER")) {
      assertThat(other).isNotNull();
    }
    lock.close();
    Closeable second = directory.lock("LOCK");
    // The first holder has nothing to release any more.
    lock.close();
    assertThatThrownBy(() -> directory.lock("LOCK")).isInstanceOf(IOException.class);
    second.close();
    directory.lock("LOCK").close();
  }

  @Test
  void aLockMayBeRemovedByItsHolder() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (Closeable lock = directory.lock("LOCK")) {
        assertThat(lock).isNotNull();
        directory.delete("LOCK");
        assertThatThrownBy(() -> directory.lock("LOCK")).isInstanceOf(IOException.class);
      }
      assertThat(directory.exists("LOCK")).isFalse();
    }
  }

  @Test
  void aLockIsSeenThroughAnotherObjectOfTheSameDirectory() throws IOException {
    try (Closeable lock = directory.directory("child").lock("LOCK")) {
      assertThat(lock).isNotNull();
      assertThatThrownBy(() -> directory.directory("child").lock("LOCK"))
          .isInstanceOf(LockedException.class)
          .hasMessageContaining(directory.path() + "/child/LOCK");
    }
    directory.directory("child").lock("LOCK").close();
  }

  @Test
  void aLockOfAnExistingFileLeavesItsContent() throws IOException {
    byte[] content = bytes(30, 100);
    write(directory, "LOCK", content);
    directory.lock("LOCK").close();
    assertThat(content(directory, "LOCK")).isEqualTo(content);
  }

  @Test
  void thereIsSpace() throws IOException {
    assertThat(directory.usableSpace()).isPositive();
  }

  private static void inParallel(int count, Callable<?> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        running.add(threads.submit(work));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
