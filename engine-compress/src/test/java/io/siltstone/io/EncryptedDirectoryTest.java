package io.siltstone.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.EncryptedDirectory.KeyException;
import io.siltstone.io.EncryptedDirectory.Keys;
import io.siltstone.io.contract.DirectoryContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EncryptedDirectoryTest {
  private static final long SEED = Long.getLong("siltstone.seed", 23);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int PAGE = EncryptedFormat.PAGE_BYTES;
  private static final int HEADER = EncryptedFormat.HEADER_BYTES;

  @TempDir private Path folder;

  private final MemoryDirectory disk = new MemoryDirectory();
  private final Directory files = EncryptedDirectory.over(disk, keys());

  /** Uses direct I/O, so that all ways in which a file system reads and writes are tested. */
  @Nested
  class Contract extends DirectoryContract {
    @Override
    protected Directory newDirectory() throws IOException {
      NioOptions options = NioOptions.DEFAULT.withDirectIo(true, true);
      return EncryptedDirectory.over(NioDirectory.open(folder.resolve("d"), options), keys());
    }

    @Override
    protected int interruptedReads() {
      return 20;
    }
  }

  private static SecretKey key(int value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return new SecretKeySpec(bytes, "AES");
  }

  private static Keys keys() {
    return Keys.of("one", key(1, 32));
  }

  private static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void write(Directory directory, String name, WriteIntent intent, byte[] content)
      throws IOException {
    try (WritableFile file = directory.create(name, intent)) {
      file.write(ByteBuffer.wrap(content));
      file.sync();
    }
  }

  private static byte[] read(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer all = ByteBuffer.allocate((int) file.length());
      file.readFully(0, all);
      return all.array();
    }
  }

  private void store(String name, byte[] stored) throws IOException {
    if (disk.exists(name)) {
      disk.delete(name);
    }
    write(disk, name, WriteIntent.OTHER, stored);
  }

  @Test
  void answersAsAPlainFileDoes() throws IOException {
    for (int run = 0; run < 6 * SCALE; run++) {
      Random random = new Random(SEED + run);
      WriteIntent intent = List.of(WriteIntent.values()).get(run % WriteIntent.values().length);
      int most = 1 << (6 + random.nextInt(11));
      String name = "file" + run;
      byte[] content = random(SEED + run, 400_000);
      int length = 0;
      WritableFile file = files.create(name, intent);
      for (int step = 0; step < 40; step++) {
        int count = Math.min(random.nextInt(most), content.length - length);
        file.write(ByteBuffer.wrap(content, length, count));
        length += count;
        switch (random.nextInt(8)) {
          case 0 -> file.sync();
          case 1 -> {
            file.close();
            file = files.append(name);
          }
          case 2 -> {
            file.close();
            if (random.nextInt(4) == 0) {
              length = random.nextInt(length + 1);
              files.truncate(name, length);
            }
            check(name, content, length, random);
            file = files.append(name);
          }
          default -> {}
        }
        assertThat(file.position()).isEqualTo(length);
      }
      file.close();
      try {
        check(name, content, length, random);
      } catch (IOException | AssertionError e) {
        throw new AssertionError("repeat with -Dsiltstone.seed=" + (SEED + run) + ": " + e, e);
      }
    }
  }

  private void check(String name, byte[] content, int length, Random random) throws IOException {
    assertThat(files.length(name)).isEqualTo(length);
    try (ReadableFile file = files.open(name, ReadIntent.POINT_READ)) {
      for (int i = 0; i < 30; i++) {
        int from = random.nextInt(length + 1);
        int count = random.nextInt(1 << random.nextInt(19));
        ByteBuffer dst =
            random.nextBoolean() ? ByteBuffer.allocate(count) : ByteBuffer.allocateDirect(count);
        int expected = Math.min(count, length - from);
        assertThat(file.read(from, dst)).isEqualTo(expected);
        byte[] found = new byte[expected];
        dst.flip().get(found);
        assertThat(found).isEqualTo(Arrays.copyOfRange(content, from, from + expected));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(WriteIntent.class)
  void whatIsStoredIsNeitherTheContentNorTheSameTwice(WriteIntent intent) throws IOException {
    byte[] content = new byte[20_000];
    write(files, "a", intent, content);
    write(files, "b", intent, content);
    byte[] a = read(disk, "a");
    assertThat(a).isNotEqualTo(read(disk, "b"));
    Set<String> blocks = new HashSet<>();
    for (int at = HEADER; at + 16 <= a.length; at += 16) {
      assertThat(blocks.add(Arrays.toString(Arrays.copyOfRange(a, at, at + 16)))).isTrue();
    }
  }

  @Test
  void noNonceIsUsedTwiceThoughTheSamePositionIsWrittenAgain() throws IOException {
    Set<String> nonces = new HashSet<>();
    write(files, "log", WriteIntent.LOG, random(1, 100));
    for (int i = 0; i < 20; i++) {
      try (WritableFile file = files.append("log")) {
        file.write(ByteBuffer.wrap(random(i, 50)));
      }
      byte[] stored = read(disk, "log");
      int last = stored.length - 50 - EncryptedFormat.OVERHEAD;
      int nonceAt = last + EncryptedFormat.NONCE_AT;
      byte[] nonce = Arrays.copyOfRange(stored, nonceAt, nonceAt + EncryptedFormat.NONCE_BYTES);
      assertThat(nonces.add(Arrays.toString(nonce))).isTrue();
      // As a power loss may have it.
      store("log", Arrays.copyOf(stored, last));
    }
  }

  @Test
  void aFlippedBitIsAnErrorOrDoesNotMatter() throws IOException {
    byte[] content = random(2, 10_000);
    write(files, "file", WriteIntent.FLUSH, content);
    byte[] stored = read(disk, "file");
    Random random = new Random(SEED);
    int errors = 0;
    int flips = Math.min(600, 300 * SCALE);
    for (int i = 0; i < flips + 100; i++) {
      byte[] flipped = stored.clone();
      int at = i < flips ? i : random.nextInt(stored.length);
      flipped[at] ^= (byte) (1 << random.nextInt(8));
      store("flipped", flipped);
      try {
        assertThat(read(files, "flipped")).as("flipped at %s", at).isEqualTo(content);
      } catch (CorruptFileException | UnsupportedFileException e) {
        assertThat(e).hasMessageContaining("memory:/flipped");
        errors++;
      }
    }
    assertThat(errors).isEqualTo(flips + 100);
  }

  @Test
  void aDamagedPageIsAnErrorOfItsPositionAndTheOthersCanBeRead() throws IOException {
    byte[] content = random(3, 40_000);
    write(files, "file", WriteIntent.FLUSH, content);
    byte[] stored = read(disk, "file");
    stored[HEADER + 3 * PAGE + 100] ^= 1;
    store("file", stored);
    try (ReadableFile file = files.open("file", ReadIntent.POINT_READ)) {
      ByteBuffer two = ByteBuffer.allocate(2 * 4096);
      file.readFully(4096, two);
      assertThat(two.array()).isEqualTo(Arrays.copyOfRange(content, 4096, 3 * 4096));
      assertThatExceptionOfType(CorruptFileException.class)
          .isThrownBy(() -> file.read(2 * 4096 + 7, ByteBuffer.allocate(5000)))
          .satisfies(e -> assertThat(e.offset()).isEqualTo(3 * 4096))
          .withMessageContaining("memory:/file at offset 12288")
          .withMessageContaining("cannot be authenticated");
    }
  }

  @Test
  void pagesThatChangePlacesOrFilesAreErrors() throws IOException {
    write(files, "file", WriteIntent.FLUSH, random(4, 40_000));
    write(files, "other", WriteIntent.FLUSH, random(5, 40_000));
    byte[] stored = read(disk, "file");
    byte[] swapped = stored.clone();
    System.arraycopy(stored, HEADER + PAGE, swapped, HEADER + 2 * PAGE, PAGE);
    System.arraycopy(stored, HEADER + 2 * PAGE, swapped, HEADER + PAGE, PAGE);
    byte[] mixed = stored.clone();
    System.arraycopy(read(disk, "other"), HEADER + PAGE, mixed, HEADER + PAGE, PAGE);
    for (byte[] bad : List.of(swapped, mixed)) {
      store("bad", bad);
      assertThatExceptionOfType(CorruptFileException.class)
          .isThrownBy(() -> read(files, "bad"))
          .satisfies(e -> assertThat(e.offset()).isEqualTo(4096));
    }
  }

  @Test
  void aCutFileIsAnErrorUnlessItWasALog() throws IOException {
    byte[] content = random(6, 9_000);
    write(files, "file", WriteIntent.COMPACTION, content);
    write(files, "log", WriteIntent.LOG, content);
    byte[] file = read(disk, "file");
    byte[] log = read(disk, "log");
    for (int length = 1; length < file.length; length += 1 + length / 100) {
      store("cut", Arrays.copyOf(file, length));
      if (length != HEADER) {
        assertThatThrownBy(() -> read(files, "cut"))
            .as("%s bytes", length)
            .isInstanceOfAny(CorruptFileException.class, UnsupportedFileException.class);
      }
      if (length > HEADER) {
        store("cut", Arrays.copyOf(log, length));
        byte[] found = read(files, "cut");
        assertThat(found).isEqualTo(Arrays.copyOf(content, (length - HEADER) / PAGE * 4096));
        try (WritableFile more = files.append("cut")) {
          more.write(ByteBuffer.wrap(content));
        }
        byte[] both = Arrays.copyOf(found, found.length + content.length);
        System.arraycopy(content, 0, both, found.length, content.length);
        assertThat(read(files, "cut")).isEqualTo(both);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = WriteIntent.class,
      names = {"FLUSH", "COMPACTION"})
  void aFileThatIsStillWrittenCanBeRead(WriteIntent intent) throws IOException {
    byte[] content = random(12, 700_000);
    Directory direct =
        EncryptedDirectory.over(
            NioDirectory.open(folder, NioOptions.DEFAULT.withDirectIo(true, true)), keys());
    Random random = new Random(SEED);
    int written = 0;
    try (WritableFile file = direct.create("file", intent)) {
      for (int i = 0; i < Math.min(60, 30 * SCALE); i++) {
        int count = random.nextInt(10_000);
        file.write(ByteBuffer.wrap(content, written, count));
        written += count;
        if (random.nextInt(5) == 0) {
          file.sync();
          assertThat(direct.length("file")).isEqualTo(written);
        }
        byte[] found = read(direct, "file");
        assertThat(found.length).isLessThanOrEqualTo(written);
        assertThat(found).isEqualTo(Arrays.copyOf(content, found.length));
      }
    }
    assertThat(read(direct, "file")).isEqualTo(Arrays.copyOf(content, written));
  }

  @Test
  void aFileThatIsCutBetweenPagesIsAnErrorOfItsEnd() throws IOException {
    write(files, "file", WriteIntent.COMPACTION, random(6, 3 * 4096));
    byte[] file = read(disk, "file");
    assertThat(file).hasSize(HEADER + 3 * PAGE);
    for (int pages = 1; pages < 3; pages++) {
      long end = pages * 4096L;
      store("cut", Arrays.copyOf(file, HEADER + pages * PAGE));
      assertThatExceptionOfType(CorruptFileException.class)
          .isThrownBy(() -> read(files, "cut"))
          .satisfies(e -> assertThat(e.offset()).isEqualTo(end))
          .withMessageContaining("its last page is missing");
    }
  }

  @Test
  void whatIsDamagedInALogReadsAsZeros() throws IOException {
    byte[] content = random(7, 12_000);
    try (WritableFile log = files.create("log", WriteIntent.LOG)) {
      for (int at = 0; at < content.length; at += 300) {
        log.write(ByteBuffer.wrap(content, at, 300));
      }
    }
    byte[] stored = read(disk, "log");
    // The rest of a page is lost from the first bad head on: it cannot be told where it goes on.
    Arrays.fill(stored, HEADER + 500, HEADER + 1000, (byte) 0);
    store("log", stored);
    byte[] found = read(files, "log");
    assertThat(found).hasSize(content.length);
    assertThat(Arrays.copyOf(found, 300)).isEqualTo(Arrays.copyOf(content, 300));
    int next = (PAGE / (300 + EncryptedFormat.OVERHEAD)) * 300;
    assertThat(Arrays.copyOfRange(found, 300, next)).containsOnly(0);
    assertThat(Arrays.copyOfRange(found, next + 300, found.length))
        .isEqualTo(Arrays.copyOfRange(content, next + 300, content.length));
  }

  @Test
  void aKeyThatIsUnknownOrWrongIsToldWithItsIdAndTheFile() throws IOException {
    write(files, "file", WriteIntent.OTHER, new byte[10]);
    Directory unknown = EncryptedDirectory.over(disk, Keys.of("two", key(1, 32)));
    Directory wrong = EncryptedDirectory.over(disk, Keys.of("one", key(2, 32)));
    for (Directory directory : List.of(unknown, wrong)) {
      KeyException.Reason reason =
          directory == unknown ? KeyException.Reason.UNKNOWN : KeyException.Reason.WRONG;
      assertThatExceptionOfType(KeyException.class)
          .isThrownBy(() -> directory.open("file", ReadIntent.SCAN))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(reason))
          .satisfies(e -> assertThat(e.keyId()).isEqualTo("one"))
          .satisfies(e -> assertThat(e.path()).isEqualTo("memory:/file"))
          .withMessageContaining("memory:/file")
          .withMessageContaining("'one'");
      assertThatThrownBy(() -> directory.append("file")).isInstanceOf(KeyException.class);
      assertThatThrownBy(() -> directory.truncate("file", 5)).isInstanceOf(KeyException.class);
      assertThatThrownBy(() -> directory.length("file")).isInstanceOf(KeyException.class);
    }
    assertThat(read(files, "file")).isEqualTo(new byte[10]);
    assertThat(disk.files()).containsExactly("file");
  }

  @Test
  void unusableKeysAreRefusedBeforeAFileIsMade() {
    for (int length : new int[] {1, 15, 65}) {
      Directory directory = EncryptedDirectory.over(disk, Keys.of("k", key(1, length)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> directory.create("file", WriteIntent.LOG))
          .withMessageContaining(length + " bytes, allowed 16 to 64");
    }
    for (String id : List.of("", "x".repeat(129))) {
      Directory directory = EncryptedDirectory.over(disk, Keys.of(id, key(1, 32)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> directory.create("file", WriteIntent.LOG))
          .withMessageContaining(id.length() + " bytes, allowed 1 to 128");
    }
    assertThat(disk.files()).isEmpty();
  }

  @Test
  void newFilesHaveTheCurrentKeyAndOldOnesTheirs() throws IOException {
    int[] current = {1};
    Keys rotated =
        new Keys() {
          @Override
          public String current() {
            return "key " + current[0];
          }

          @Override
          public @Nullable SecretKey key(String id) {
            return EncryptedDirectoryTest.key(Integer.parseInt(id.substring(4)), 32);
          }
        };
    Directory directory = EncryptedDirectory.over(disk, rotated);
    write(directory, "old", WriteIntent.OTHER, random(8, 5_000));
    current[0] = 2;
    write(directory, "new", WriteIntent.OTHER, random(9, 5_000));
    assertThat(read(directory, "old")).isEqualTo(random(8, 5_000));
    assertThat(read(directory, "new")).isEqualTo(random(9, 5_000));
    Directory second = EncryptedDirectory.over(disk, Keys.of("key 2", key(2, 32)));
    assertThat(read(second, "new")).isEqualTo(random(9, 5_000));
    assertThatThrownBy(() -> read(second, "old"))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("'key 1'");
  }

  @Test
  void aFileThatIsNotEncryptedIsRefusedByName() throws IOException {
    write(disk, "plain", WriteIntent.OTHER, random(10, 700));
    assertThatThrownBy(() -> files.open("plain", ReadIntent.SCAN))
        .isInstanceOf(UnsupportedFileException.class)
        .hasMessageContaining("memory:/plain")
        .hasMessageContaining("is not encrypted");
  }

  @Test
  void noLinkLeadsOutOfTheEncryptedFilesOrIn() throws IOException {
    write(files, "file", WriteIntent.OTHER, new byte[10]);
    Directory others = EncryptedDirectory.over(disk, Keys.of("two", key(2, 32)));
    for (Directory target : List.of(disk, others)) {
      assertThatIllegalArgumentException().isThrownBy(() -> files.link("file", target, "b"));
      assertThatIllegalArgumentException().isThrownBy(() -> files.linkSynced("file", target, "b"));
      assertThatIllegalArgumentException().isThrownBy(() -> disk.link("file", files, "b"));
    }
    files.linkSynced("file", files.directory("child"), "b");
    assertThat(disk.directory("child").identity("b")).isEqualTo(disk.identity("file"));
  }

  @Test
  void aReadIsOneReadOfTheFileInside() throws IOException {
    byte[] content = random(11, 1_000_000);
    write(files, "file", WriteIntent.COMPACTION, content);
    List<Integer> reads = new ArrayList<>();
    Directory counting =
        new ForwardingDirectory(disk) {
          @Override
          public ReadableFile open(String name, ReadIntent intent) throws IOException {
            return new ForwardingReadableFile(super.open(name, intent)) {
              @Override
              public int read(long position, ByteBuffer dst) throws IOException {
                reads.add(dst.remaining());
                return super.read(position, dst);
              }
            };
          }
        };
    Directory counted = EncryptedDirectory.over(counting, keys());
    try (ReadableFile file = counted.open("file", ReadIntent.POINT_READ)) {
      reads.clear();
      for (int length : new int[] {1, 5_000, 65_536, 262_144}) {
        file.readFully(12_345, ByteBuffer.allocate(length));
      }
      assertThat(reads).containsExactly(PAGE, 2 * PAGE, 17 * PAGE, 65 * PAGE);
    }
  }
}
