package io.siltstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultyDirectoryTest {
  private static final String EIO = "Input/output error";

  private final MemoryDirectory inner = new MemoryDirectory();

  private static ThrowingCallable call(Operation operation, Directory disk) throws IOException {
    return switch (operation) {
      case OPEN -> () -> disk.open("file", ReadIntent.SCAN).close();
      case READ -> {
        ReadableFile file = disk.open("file", ReadIntent.SCAN);
        yield () -> file.read(0, ByteBuffer.allocate(10));
      }
      case CREATE -> () -> disk.create("file", WriteIntent.OTHER).close();
      case APPEND -> () -> disk.append("file").close();
      case WRITE -> {
        WritableFile file = disk.append("file");
        yield () -> file.write(ByteBuffer.allocate(10));
      }
      case SYNC -> disk.append("file")::sync;
      case TRUNCATE -> () -> disk.truncate("file", 1);
      case SYNC_DIRECTORY -> disk::sync;
      case RENAME -> () -> disk.rename("file", "b");
      case LINK -> () -> disk.link("file", disk, "b");
      case DELETE -> () -> disk.delete("file");
      case LIST -> disk::files;
      case LOOK_UP -> () -> disk.length("file");
      case MAKE_DIRECTORY -> () -> disk.directory("child");
      case DELETE_DIRECTORY -> () -> disk.deleteDirectory("child");
      case LOCK -> () -> disk.lock("file").close();
    };
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void everyOperationCanFailAndThenHasNotHappened(Operation operation) throws Throwable {
    if (operation != Operation.CREATE) {
      Files.write(inner, "file", new byte[100], true);
    }
    inner.directory("empty");
    Fault fault = Fault.on(operation).call(1).fails(EIO);
    FaultyDirectory disk = new FaultyDirectory(inner, 1, fault);
    ThrowingCallable call = call(operation, disk);
    List<String> before = inner.files();
    assertThatIOException()
        .isThrownBy(call)
        .withMessageContaining(EIO)
        .withMessageContaining("memory:")
        .withMessageContaining(operation + " of *, call 1: " + EIO);
    assertThat(inner.files()).isEqualTo(before);
    assertThat(inner.directories()).containsExactly("empty");
    assertThat(fault.fired()).isEqualTo(1);
    assertThat(disk.fired()).isEqualTo(1);
    if (operation == Operation.DELETE_DIRECTORY) {
      inner.directory("child");
    }
    if (operation != Operation.WRITE && operation != Operation.SYNC) {
      call.call();
      assertThat(fault.calls()).isEqualTo(2);
      assertThat(fault.fired()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void everyOperationCanHappenAndTellAFailure(Operation operation) throws Throwable {
    if (operation != Operation.CREATE) {
      Files.write(inner, "file", new byte[100], true);
    }
    if (operation == Operation.DELETE_DIRECTORY) {
      inner.directory("child");
    }
    FaultyDirectory disk = new FaultyDirectory(inner, 1, Fault.on(operation).failsAfterwards(EIO));
    assertThatIOException().isThrownBy(call(operation, disk)).withMessageContaining(EIO);
    switch (operation) {
      case CREATE -> assertThat(inner.files()).containsExactly("file");
      case WRITE -> assertThat(inner.length("file")).isEqualTo(110);
      case TRUNCATE -> assertThat(inner.length("file")).isEqualTo(1);
      case RENAME -> assertThat(inner.files()).containsExactly("b");
      case LINK -> assertThat(inner.files()).containsExactly("b", "file");
      case DELETE -> assertThat(inner.files()).isEmpty();
      case MAKE_DIRECTORY -> assertThat(inner.directories()).containsExactly("child");
      case DELETE_DIRECTORY -> assertThat(inner.directories()).isEmpty();
      case LOCK -> inner.lock("file").close();
      default -> assertThat(inner.files()).containsExactly("file");
    }
  }

  @Test
  void aComponentIsMatchedWhileItIsWrittenToo() throws IOException {
    Fault full = Fault.on(Operation.CREATE).component("Data.db").fails(Fault.NO_SPACE);
    FaultyDirectory disk = new FaultyDirectory(inner, 1, full);
    for (String name : List.of("oa-1-big-Data.db", "oa-1-big-Data.db.tmp")) {
      assertThatIOException()
          .isThrownBy(() -> disk.create(name, WriteIntent.FLUSH))
          .withMessageContaining("create of *-Data.db: No space left on device");
    }
    for (String name : List.of("oa-1-big-Data.db.tmp2", "oa-1-big-Index.db.tmp", "Data.db")) {
      disk.create(name, WriteIntent.FLUSH).close();
    }
    assertThat(full.fired()).isEqualTo(2);
  }

  @Test
  void onlyMatchingFilesAndCallsFail() throws IOException {
    Fault data = Fault.on(Operation.CREATE).component("Data.db").call(2).fails(EIO);
    Fault below = Fault.on(Operation.CREATE).files("child/*.log").fromCall(2).fails(EIO);
    FaultyDirectory disk = new FaultyDirectory(inner, 1, data, below);
    Directory child = disk.directory("child");
    disk.create("nb-1-big-Data.db", WriteIntent.FLUSH).close();
    disk.create("nb-2-big-Index.db", WriteIntent.FLUSH).close();
    assertThatIOException()
        .isThrownBy(() -> child.create("oa-7-big-Data.db", WriteIntent.FLUSH))
        .withMessageContaining("memory:/child/oa-7-big-Data.db")
        .withMessageContaining("create of *-Data.db, call 2");
    disk.create("nb-3-big-Data.db", WriteIntent.FLUSH).close();
    disk.create("1.log", WriteIntent.LOG).close();
    disk.create("2.log", WriteIntent.LOG).close();
    child.create("1.log", WriteIntent.LOG).close();
    for (String name : List.of("2.log", "3.log")) {
      assertThatIOException().isThrownBy(() -> child.create(name, WriteIntent.LOG));
    }
    assertThat(data.calls()).isEqualTo(3);
    assertThat(data.fired()).isEqualTo(1);
    assertThat(below.fired()).isEqualTo(2);
    assertThat(disk.report())
        .contains("seed 1")
        .contains("create of *-Data.db, call 2: Input/output error (1 times)")
        .contains("create of child/*.log, from call 2: Input/output error (2 times)");
  }

  @Test
  void aRenameMatchesByEitherName() throws IOException {
    Files.write(inner, "a", new byte[1], true);
    FaultyDirectory disk =
        new FaultyDirectory(
            inner,
            1,
            Fault.on(Operation.RENAME).files("a").call(1).fails("from"),
            Fault.on(Operation.RENAME).files("b").call(2).fails("to"));
    assertThatIOException().isThrownBy(() -> disk.rename("a", "b")).withMessageContaining("from");
    assertThatIOException().isThrownBy(() -> disk.rename("a", "b")).withMessageContaining("to");
    disk.rename("a", "b");
    assertThat(disk.files()).containsExactly("b");
  }

  @Test
  void theDiskIsFullAfterSoManyBytesOverAllFiles() throws IOException {
    Fault full = Fault.on(Operation.WRITE).noSpaceAfter(2_500);
    FaultyDirectory disk = new FaultyDirectory(inner, 1, full);
    Files.write(disk, "a", new byte[1_000], true);
    assertThat(disk.usableSpace()).isEqualTo(1_500);
    WritableFile file = disk.create("b", WriteIntent.FLUSH);
    file.write(ByteBuffer.allocate(1_400));
    assertThatIOException()
        .isThrownBy(() -> file.write(ByteBuffer.allocate(1_000)))
        .withMessageContaining("memory:/b")
        .withMessageContaining("No space left on device");
    assertThat(disk.length("b")).isEqualTo(1_500);
    assertThatIOException()
        .isThrownBy(file::sync)
        .withMessageContaining("memory:/b is not used any more")
        .withMessageContaining("No space left on device");
    file.close();
    WritableFile other = disk.create("c", WriteIntent.FLUSH);
    assertThatIOException().isThrownBy(() -> other.write(ByteBuffer.allocate(1)));
    other.close();
    assertThat(full.fired()).isEqualTo(2);
    assertThat(disk.usableSpace()).isZero();
    full.giveSpace(100);
    assertThat(disk.usableSpace()).isEqualTo(100);
    Files.write(disk, "d", new byte[100], true);
    assertThat(disk.usableSpace()).isZero();
  }

  @Test
  void aFailedWriteLeavesAnyPart() throws IOException {
    byte[] content = Files.bytes(1, 1_000);
    Set<Long> lengths = new HashSet<>();
    for (long seed = 0; seed < 50; seed++) {
      MemoryDirectory fresh = new MemoryDirectory();
      FaultyDirectory disk = new FaultyDirectory(fresh, seed, Fault.on(Operation.WRITE).fails(EIO));
      try (WritableFile file = disk.create("file", WriteIntent.LOG)) {
        assertThatIOException().isThrownBy(() -> file.write(ByteBuffer.wrap(content)));
        assertThatIOException()
            .isThrownBy(() -> file.write(ByteBuffer.wrap(content)))
            .withMessageContaining("earlier failure");
      }
      byte[] found = Files.read(fresh, "file");
      assertThat(found).isEqualTo(Arrays.copyOf(content, found.length));
      lengths.add(fresh.length("file"));
    }
    assertThat(lengths).hasSizeGreaterThan(30);
  }

  @Test
  void afterAFailedSyncNothingIsKnown() throws IOException {
    Set<Boolean> durable = new HashSet<>();
    for (long seed = 0; seed < 50; seed++) {
      SimulatedDisk simulated = new SimulatedDisk();
      FaultyDirectory disk =
          new FaultyDirectory(simulated, seed, Fault.on(Operation.SYNC).call(1).fails(EIO));
      byte[] content = Files.bytes(seed, 100);
      try (WritableFile file = disk.create("file", WriteIntent.LOG)) {
        file.write(ByteBuffer.wrap(content));
        assertThatIOException().isThrownBy(file::sync).withMessageContaining(EIO);
        assertThatIOException()
            .as("a second sync must not pretend that all is well")
            .isThrownBy(file::sync)
            .withMessageContaining("sim:/file is not used any more")
            .withMessageContaining(EIO);
        assertThatIOException().isThrownBy(() -> file.write(ByteBuffer.allocate(1)));
      }
      disk.sync();
      boolean always = true;
      for (long loss = 0; loss < 20; loss++) {
        always &= Arrays.equals(Files.read(simulated.powerLoss(loss), "file"), content);
      }
      durable.add(always);
    }
    assertThat(durable).containsExactlyInAnyOrder(true, false);
  }

  @Test
  void readsCanBeShort() throws IOException {
    byte[] content = Files.bytes(2, 1_000);
    Files.write(inner, "file", content, true);
    Fault cut = Fault.on(Operation.READ).call(2).readsShort();
    try (ReadableFile file = new FaultyDirectory(inner, 1, cut).open("file", ReadIntent.SCAN)) {
      ByteBuffer dst = ByteBuffer.allocate(2_000);
      assertThat(file.read(0, dst)).isEqualTo(1_000);
      dst.clear();
      assertThat(file.read(0, dst)).isEqualTo(500);
      assertThat(dst.position()).isEqualTo(500);
      assertThat(dst.limit()).isEqualTo(2_000);
      assertThat(Arrays.copyOf(dst.array(), 500)).isEqualTo(Arrays.copyOf(content, 500));
      dst.clear();
      assertThat(file.read(0, dst)).isEqualTo(1_000);
    }
    assertThat(cut.fired()).isEqualTo(1);
  }

  @Test
  void chanceIsDrawnByTheSeed() throws IOException {
    List<List<Integer>> failed = new ArrayList<>();
    for (long seed : new long[] {1, 1, 2}) {
      Fault fault = Fault.on(Operation.LOOK_UP).chance(0.3).fails(EIO);
      Directory disk = new FaultyDirectory(inner, seed, fault);
      List<Integer> calls = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        try {
          assertThat(disk.exists("none")).isFalse();
        } catch (IOException e) {
          calls.add(i);
        }
      }
      assertThat(calls).hasSizeBetween(30, 90);
      assertThat(fault.fired()).isEqualTo(calls.size());
      failed.add(calls);
    }
    assertThat(failed.get(0)).isEqualTo(failed.get(1)).isNotEqualTo(failed.get(2));
  }

  @Test
  void somethingCanRunBeforeAnOperation() throws IOException {
    List<String> seen = new ArrayList<>();
    Fault watch = Fault.on(Operation.DELETE).runs("looks", () -> seen.addAll(inner.files()));
    Fault slow = Fault.on(Operation.DELETE).delays(Duration.ofMillis(1));
    Directory disk = new FaultyDirectory(inner, 1, watch, slow);
    Files.write(disk, "file", new byte[1], false);
    disk.delete("file");
    assertThat(seen).containsExactly("file");
    assertThat(watch.fired()).isEqualTo(1);
    assertThat(slow.fired()).isEqualTo(1);
    assertThat(watch).hasToString("delete of *: looks");
    assertThat(slow).hasToString("delete of *: delayed by PT0.001S");
  }

  @Test
  void rulesWithoutSenseAreRefused() {
    Fault.Rule rule = Fault.on(Operation.SYNC);
    assertThatIllegalArgumentException().isThrownBy(() -> rule.call(0));
    assertThatIllegalArgumentException().isThrownBy(() -> rule.fromCall(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> rule.chance(1.1));
    assertThatIllegalArgumentException().isThrownBy(() -> rule.chance(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(rule::readsShort);
    assertThatIllegalArgumentException().isThrownBy(() -> rule.noSpaceAfter(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fault.on(Operation.WRITE).noSpaceAfter(-1));
    assertThatIllegalStateException()
        .isThrownBy(() -> Fault.on(Operation.WRITE).fails("bad sector").giveSpace(1));
  }
}
