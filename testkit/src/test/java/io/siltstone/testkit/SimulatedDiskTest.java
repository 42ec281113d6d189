package io.siltstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulatedDiskTest {
  private static final int SEEDS = 400;
  private static final int SECTOR = 512;

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void whatWasSyncedAndNamedIsThereWhole(FileSystemModel model) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(model);
    byte[] content = Files.bytes(1, 5_000);
    Directory child = disk.directory("child");
    disk.sync();
    Files.write(child, "new", content, true);
    child.rename("new", "file");
    child.sync();
    Files.write(child, "other", content, false);
    for (long seed = 0; seed < SEEDS; seed++) {
      Directory found = disk.powerLoss(seed).directory("child");
      assertThat(found.files()).as("seed %d", seed).contains("file").doesNotContain("new");
      assertThat(Files.read(found, "file")).as("seed %d", seed).isEqualTo(content);
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void unsyncedContentIsLostTornOrKeptBySectors(FileSystemModel model) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(model);
    byte[] content = Files.bytes(2, 10_000);
    int durable = 1_300;
    Files.write(disk, "file", Arrays.copyOf(content, durable), true);
    disk.sync();
    Files.append(disk, "file", Arrays.copyOfRange(content, durable, 4_000));
    Files.append(disk, "file", Arrays.copyOfRange(content, 4_000, 10_000));
    Set<Integer> lengths = new TreeSet<>();
    int whole = 0;
    int holes = 0;
    int noise = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      byte[] found = Files.read(disk.powerLoss(seed), "file");
      lengths.add(found.length);
      whole += Arrays.equals(found, content) ? 1 : 0;
      assertThat(Arrays.copyOf(found, durable))
          .as("seed %d", seed)
          .isEqualTo(Arrays.copyOf(content, durable));
      for (int from = durable; from < found.length; from = (from / SECTOR + 1) * SECTOR) {
        int to = Math.min(found.length, (from / SECTOR + 1) * SECTOR);
        byte[] sector = Arrays.copyOfRange(found, from, to);
        if (Arrays.equals(sector, new byte[to - from])) {
          holes++;
        } else if (!Arrays.equals(sector, Arrays.copyOfRange(content, from, to))) {
          noise++;
        }
      }
    }
    assertThat(lengths).contains(durable, 4_000, 10_000, 4_096, 1_536).hasSizeGreaterThan(10);
    assertThat(lengths).allMatch(n -> n % SECTOR == 0 || n == durable || n == 4_000 || n == 10_000);
    assertThat(whole).isBetween(SEEDS / 10, SEEDS / 2);
    assertThat(holes).isPositive();
    if (model == FileSystemModel.JOURNALED) {
      assertThat(noise).isZero();
    } else {
      assertThat(noise).isPositive();
    }
  }

  @Test
  void truncateIsDurable() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    byte[] content = Files.bytes(3, 3_000);
    Files.write(disk, "file", content, false);
    disk.sync();
    disk.truncate("file", 2_000);
    for (long seed = 0; seed < 50; seed++) {
      assertThat(Files.read(disk.powerLoss(seed), "file")).isEqualTo(Arrays.copyOf(content, 2_000));
    }
  }

  /** Returns the sets of names that are found with many seeds. */
  private static Set<List<String>> found(SimulatedDisk disk) throws IOException {
    Set<List<String>> found = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      found.add(disk.powerLoss(seed).files());
    }
    return found;
  }

  @Test
  void aJournalKeepsABeginning() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(FileSystemModel.JOURNALED);
    Files.write(disk, "0", new byte[1], true);
    disk.sync();
    for (String name : List.of("1", "2", "3")) {
      Files.write(disk, name, new byte[1], true);
    }
    assertThat(found(disk))
        .containsExactlyInAnyOrder(
            List.of("0"), List.of("0", "1"), List.of("0", "1", "2"), List.of("0", "1", "2", "3"));
  }

  @Test
  void withoutAJournalAnyNamesAreKept() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(FileSystemModel.UNORDERED);
    Files.write(disk, "0", new byte[1], true);
    disk.sync();
    for (String name : List.of("1", "2", "3")) {
      Files.write(disk, name, new byte[1], true);
    }
    disk.delete("0");
    assertThat(found(disk)).hasSize(16);
  }

  @Test
  void aJournaledRenameHappensWhollyOrNotAtAll() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(FileSystemModel.JOURNALED);
    Files.write(disk, "target", new byte[] {1}, true);
    Files.write(disk, "new", new byte[] {2}, true);
    disk.sync();
    disk.rename("new", "target");
    Set<String> states = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk found = disk.powerLoss(seed);
      states.add(found.files() + " " + Files.read(found, "target")[0]);
    }
    assertThat(states).containsExactly("[new, target] 1", "[target] 2");
  }

  @Test
  void withoutAJournalARenamesTwoNamesAreIndependent() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(FileSystemModel.UNORDERED);
    Files.write(disk, "target", new byte[] {1}, true);
    Files.write(disk, "new", new byte[] {2}, true);
    disk.sync();
    disk.rename("new", "target");
    Set<String> states = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk found = disk.powerLoss(seed);
      states.add(found.files() + " " + Files.read(found, "target")[0]);
    }
    assertThat(states)
        .containsExactly("[new, target] 1", "[new, target] 2", "[target] 1", "[target] 2");
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void deletedNamesMayComeBackUntilTheirDirectoryIsSynced(FileSystemModel model)
      throws IOException {
    SimulatedDisk disk = new SimulatedDisk(model);
    byte[] content = Files.bytes(4, 2_000);
    Files.write(disk, "file", content, true);
    disk.sync();
    disk.delete("file");
    assertThat(found(disk)).containsExactlyInAnyOrder(List.of(), List.of("file"));

    SimulatedDisk synced = new SimulatedDisk(model);
    Files.write(synced, "file", content, true);
    synced.sync();
    synced.delete("file");
    synced.sync();
    assertThat(found(synced)).containsExactly(List.of());
  }

  @Test
  void aSyncIsOfOneDirectoryUnlessThereIsAJournal() throws IOException {
    for (FileSystemModel model : FileSystemModel.values()) {
      SimulatedDisk disk = new SimulatedDisk(model);
      Directory one = disk.directory("one");
      Directory two = disk.directory("two");
      disk.sync();
      Files.write(one, "file", new byte[1], true);
      two.sync();
      Set<Boolean> there = new HashSet<>();
      for (long seed = 0; seed < 50; seed++) {
        there.add(disk.powerLoss(seed).directory("one").exists("file"));
      }
      assertThat(there).hasSize(model == FileSystemModel.JOURNALED ? 1 : 2).contains(true);
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void anUnsyncedDirectoryMayBeGoneWithAllInIt(FileSystemModel model) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(model);
    Directory child = disk.directory("child");
    Files.write(child, "file", new byte[1], true);
    Set<List<String>> found = new HashSet<>();
    for (long seed = 0; seed < 100; seed++) {
      found.add(disk.powerLoss(seed).directories());
    }
    assertThat(found).containsExactlyInAnyOrder(List.of(), List.of("child"));
  }

  @Test
  void linksStayOneFile() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Directory child = disk.directory("child");
    Files.write(disk, "a", Files.bytes(5, 2_000), false);
    disk.link("a", child, "b");
    disk.sync();
    child.sync();
    for (long seed = 0; seed < 50; seed++) {
      SimulatedDisk found = disk.powerLoss(seed);
      Files.append(found, "a", new byte[] {7});
      assertThat(Files.read(found.directory("child"), "b")).isEqualTo(Files.read(found, "a"));
    }
  }

  @Test
  void nothingWorksWithoutPower() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Files.write(disk, "file", new byte[10], true);
    Directory child = disk.directory("child");
    Closeable lock = disk.lock("LOCK");
    WritableFile writer = disk.create("writer", WriteIntent.LOG);
    ReadableFile reader = disk.open("file", ReadIntent.SCAN);
    disk.powerLoss(1);
    assertThat(disk.isLost()).isTrue();
    List<ThrowingCallable> calls =
        List.of(
            () -> disk.files(),
            () -> disk.directories(),
            () -> disk.directory("child"),
            () -> disk.directory("another"),
            () -> disk.deleteDirectory("child"),
            () -> disk.exists("file"),
            () -> disk.length("file"),
            () -> disk.open("file", ReadIntent.SCAN),
            () -> disk.create("new", WriteIntent.OTHER),
            () -> disk.append("file"),
            () -> disk.truncate("file", 1),
            () -> disk.rename("file", "b"),
            () -> disk.link("file", disk, "b"),
            () -> disk.delete("file"),
            () -> disk.sync(),
            () -> disk.lock("other"),
            () -> disk.usableSpace(),
            () -> child.files(),
            () -> child.sync(),
            () -> writer.write(ByteBuffer.allocate(1)),
            () -> writer.sync(),
            () -> reader.read(0, ByteBuffer.allocate(1)));
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i)).as("call %d", i).isInstanceOf(PowerLossException.class);
    }
    lock.close();
    writer.close();
    reader.close();
  }

  @Test
  void theCrashComesAfterSoManyOperations() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    disk.crashAfter(2);
    WritableFile file = disk.create("file", WriteIntent.LOG);
    file.write(ByteBuffer.allocate(10));
    assertThat(disk.files()).containsExactly("file");
    assertThat(disk.isLost()).isFalse();
    assertThat(disk.operations()).isEqualTo(2);
    assertThatThrownBy(file::sync)
        .isInstanceOf(PowerLossException.class)
        .hasMessageContaining("after write of sim:/file, before sync of sim:/file");
    assertThat(disk.isLost()).isTrue();
    assertThat(disk.operations()).isEqualTo(2);
    assertThatIllegalArgumentException().isThrownBy(() -> disk.crashAfter(-1));
  }

  @Test
  void theSameSeedGivesTheSameDiskAndLocksAreFree() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(FileSystemModel.UNORDERED);
    for (int i = 0; i < 20; i++) {
      Files.write(disk, "file-" + i, Files.bytes(i, 3_000), i % 3 == 0);
    }
    disk.lock("LOCK");
    disk.sync();
    disk.delete("file-1");
    for (long seed = 0; seed < 20; seed++) {
      SimulatedDisk one = disk.powerLoss(seed);
      SimulatedDisk other = disk.powerLoss(seed);
      assertThat(one.files()).isEqualTo(other.files());
      for (String name : one.files()) {
        assertThat(Files.read(one, name)).isEqualTo(Files.read(other, name));
      }
      one.lock("LOCK").close();
    }
  }

  @Test
  void whatWasFoundIsDurableAndMayBeLostFromAgain() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(FileSystemModel.UNORDERED);
    for (int i = 0; i < 10; i++) {
      Files.write(disk, "file-" + i, Files.bytes(i, 3_000), false);
    }
    SimulatedDisk found = disk.powerLoss(5);
    Files.write(found, "more", new byte[1], false);
    List<String> before = found.files();
    for (long seed = 0; seed < 20; seed++) {
      SimulatedDisk again = found.powerLoss(seed);
      assertThat(before).containsAll(again.files());
      assertThat(again.files().size()).isGreaterThanOrEqualTo(before.size() - 1);
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void theDeathOfAProcessLeavesWhatWasWritten(FileSystemModel model) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(model);
    byte[] content = Files.bytes(7, 5_000);
    Files.write(disk.directory("child"), "file", content, false);
    disk.lock("LOCK");
    SimulatedDisk found = disk.processDeath();
    assertThat(Files.read(found.directory("child"), "file")).isEqualTo(content);
    found.lock("LOCK").close();
    assertThatThrownBy(disk::files).isInstanceOf(PowerLossException.class);
    assertThat(Files.read(found.powerLoss(1).directory("child"), "file")).isEqualTo(content);
  }
}
