package io.siltstone.bench.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitedVolumeTest {
  private static final String ROOT_AND_DATA =
      """
      1 0 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
      2 1 8:16 / /data rw - xfs /dev/sdb rw
      3 1 0:50 / /data/many rw - btrfs /dev/sdb rw
      4 1 0:51 / /tmpfs rw - tmpfs none rw
      5 1 8:16 / /with\\040blank rw - xfs /dev/sdb rw
      """;
  private static final String V1 =
      ROOT_AND_DATA
          + """
          10 1 0:30 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio
          11 1 0:31 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
          12 1 0:32 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
          """;
  private static final String V2 =
      ROOT_AND_DATA + "10 1 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  private static final VolumeLimits LIMITS = new VolumeLimits(3_000, 125L << 20, 512L << 20);

  @TempDir Path root;
  private MadeUpKernel kernel;

  @BeforeEach
  void machine() {
    kernel = new MadeUpKernel(root).withDisks();
  }

  private void isV1() {
    kernel
        .file("/proc/self/mountinfo", V1)
        .file("/proc/self/cgroup", "7:blkio:/\n4:memory:/docker/abc/inner\n0::/\n")
        .file("/sys/fs/cgroup/blkio/cgroup.procs", "")
        .file("/sys/fs/cgroup/memory/inner/cgroup.procs", "");
  }

  private void isV2(String subtreeControlOfOwn) {
    kernel
        .file("/proc/self/mountinfo", V2)
        .file("/proc/self/cgroup", "0::/user/session\n")
        .file("/sys/fs/cgroup/cgroup.subtree_control", "cpu memory\n")
        .file("/sys/fs/cgroup/user/session/cgroup.controllers", "cpu io memory\n")
        .file("/sys/fs/cgroup/user/session/cgroup.procs", "");
    if (!subtreeControlOfOwn.isEmpty()) {
      kernel.file("/sys/fs/cgroup/user/session/cgroup.subtree_control", subtreeControlOfOwn);
    }
  }

  /** Returns what was written, without the random names of groups. */
  private List<String> written() {
    return kernel.written.stream().map(line -> line.replaceAll("-[0-9a-f]+/", "-X/")).toList();
  }

  @Test
  void aPartitionIsLimitedByItsDiskInVersion1() throws IOException {
    isV1();
    try (LimitedVolume volume = LimitedVolume.open("/home/me", LIMITS, kernel)) {
      volume.add(4711);
      assertThat(volume.left()).isEqualTo(VolumeLimits.NONE);
      assertThat(volume.notes())
          .containsExactly(
              "3,000 reads/s and 125 MiB/s on vda by the kernel's block-I/O controller (control"
                  + " groups v1, blkio.throttle); writes are not limited",
              "read-ahead of vda 4 KiB instead of 8192 KiB",
              "512 MiB of memory with the page cache, by the kernel's memory controller (control"
                  + " groups v1)");
      assertThat(kernel.read("/sys/devices/pci/vda/queue/read_ahead_kb")).isEqualTo("4");
    }
    String blkio = "/sys/fs/cgroup/blkio/siltstone-bench-block-io-X/";
    String memory = "/sys/fs/cgroup/memory/inner/siltstone-bench-memory-X/";
    assertThat(written())
        .containsExactly(
            blkio + "blkio.throttle.read_iops_device <- 254:0 3000",
            blkio + "blkio.throttle.read_bps_device <- 254:0 131072000",
            "/sys/devices/pci/vda/queue/read_ahead_kb <- 4",
            memory + "memory.limit_in_bytes <- 536870912",
            blkio + "cgroup.procs <- 4711",
            memory + "cgroup.procs <- 4711",
            // Remaining processes are moved back before the group is removed.
            "/sys/fs/cgroup/memory/inner/cgroup.procs <- 4711",
            "/sys/devices/pci/vda/queue/read_ahead_kb <- 8192",
            "/sys/fs/cgroup/blkio/cgroup.procs <- 4711");
    assertThat(root.resolve("sys/fs/cgroup/blkio")).isDirectoryNotContaining("glob:**siltstone*");
  }

  @Test
  void version2SetsIoMaxBelowTheGroupThatHandsTheControllerDown() throws IOException {
    isV2("io\n");
    LimitedVolume volume = LimitedVolume.open("/data/here", LIMITS, kernel);
    volume.add(4711);
    volume.close();
    volume.close();
    String own = "/sys/fs/cgroup/user/session/";
    // A process is in one group only, which therefore has both limits.
    assertThat(written())
        .containsExactly(
            own + "siltstone-bench-block-io-X/io.max <- 8:16 riops=3000 rbps=131072000",
            "/sys/devices/pci/sdb/queue/read_ahead_kb <- 4",
            own + "cgroup.subtree_control <- +memory",
            own + "siltstone-bench-block-io-X/memory.max <- 536870912",
            own + "siltstone-bench-block-io-X/cgroup.procs <- 4711",
            "/sys/devices/pci/sdb/queue/read_ahead_kb <- 128",
            own + "cgroup.procs <- 4711");
  }

  @Test
  void version2LooksAboveForWhoMayHandDown() throws IOException {
    isV2("");
    LimitedVolume volume = LimitedVolume.open("/data", new VolumeLimits(100, 0, 0), kernel);
    volume.add(4711);
    volume.close();
    assertThat(written())
        .containsExactly(
            "/sys/fs/cgroup/cgroup.subtree_control <- +io",
            "/sys/fs/cgroup/siltstone-bench-block-io-X/io.max <- 8:16 riops=100",
            "/sys/devices/pci/sdb/queue/read_ahead_kb <- 4",
            "/sys/fs/cgroup/siltstone-bench-block-io-X/cgroup.procs <- 4711",
            "/sys/devices/pci/sdb/queue/read_ahead_kb <- 128",
            // Not in the group above, which delegates controllers and therefore takes no processes.
            "/sys/fs/cgroup/user/session/cgroup.procs <- 4711");
  }

  @Test
  void withoutAControllerTheProcessLimitsItself() throws IOException {
    kernel.file("/proc/self/mountinfo", ROOT_AND_DATA).file("/proc/self/cgroup", "0::/\n");
    try (LimitedVolume volume = LimitedVolume.open("/data", LIMITS, kernel)) {
      assertThat(volume.left()).isEqualTo(new VolumeLimits(3_000, 125L << 20, 0));
      assertThat(volume.notes())
          .containsExactly(
              "3,000 reads/s and 125 MiB/s by a throttling file layer in the engine's process,"
                  + " where reads from the page cache count too; not by the kernel, because"
                  + " there is no blkio controller of control groups",
              "memory is not limited to 512 MiB, because there is no memory controller of control"
                  + " groups");
    }
    assertThat(kernel.written).isEmpty();
  }

  @Test
  void aFileSystemInMemoryIsOnNoDisk() throws IOException {
    isV1();
    try (LimitedVolume volume = LimitedVolume.open("/tmpfs/x", VolumeLimits.CLOUD, kernel)) {
      assertThat(volume.left()).isEqualTo(VolumeLimits.CLOUD);
      assertThat(volume.notes().get(0)).contains("is not on a disk that the kernel names");
    }
    assertThat(BlockDevice.of("/data/many/x", kernel).orElseThrow().name()).isEqualTo("sdb");
    assertThat(BlockDevice.of("/with blank", kernel).orElseThrow().number()).isEqualTo("8:16");
  }

  @Test
  void aLimitThatIsRefusedLeavesNoGroup() throws IOException {
    isV1();
    MadeUpKernel own = kernel;
    Kernel refusing =
        new Kernel() {
          @Override
          public String read(String path) throws IOException {
            return own.read(path);
          }

          @Override
          public void write(String path, String text) throws IOException {
            if (path.endsWith("read_bps_device")) {
              throw new IOException("Operation not permitted");
            }
            own.write(path, text);
          }

          @Override
          public Closeable guard(String path, String text) {
            return own.guard(path, text);
          }

          @Override
          public boolean exists(String path) {
            return own.exists(path);
          }

          @Override
          public String real(String path) throws IOException {
            return own.real(path);
          }

          @Override
          public void makeGroup(String path) throws IOException {
            own.makeGroup(path);
          }

          @Override
          public void removeGroup(String path) throws IOException {
            own.removeGroup(path);
          }
        };
    try (LimitedVolume volume = LimitedVolume.open("/", VolumeLimits.CLOUD, refusing)) {
      assertThat(volume.left()).isEqualTo(VolumeLimits.CLOUD);
      assertThat(volume.notes().get(0))
          .contains("could not be created or set: IOException Operation not permitted");
      assertThat(root.resolve("sys/fs/cgroup/blkio")).isDirectoryNotContaining("glob:**siltstone*");
    }
  }

  @Test
  void readsAreCountedOfTheGroupElseOfTheDisk(@TempDir Path here) throws IOException {
    String mounts = V1.replace("/ / rw", "/ / rw").replace("/data rw", here.toRealPath() + " rw");
    kernel.file("/proc/self/mountinfo", mounts).file("/proc/self/cgroup", "7:blkio:/\n");
    kernel.file("/sys/devices/pci/sdb/stat", "10 0 16 0 0 0 0 0 0 0 0\n");
    ReadCounter disk = ReadCounter.of(here, kernel);
    assertThat(disk.now()).isEqualTo(new DiskReads(10, 16 * 512));
    assertThat(disk.source()).contains("whole machine, from /sys/block/sdb/stat");

    String group = "/sys/fs/cgroup/blkio/siltstone-bench-block-io-1f";
    kernel
        .file("/proc/self/cgroup", "7:blkio:/siltstone-bench-block-io-1f\n")
        .file(group + "/blkio.throttle.io_serviced", "254:0 Read 1\n8:16 Read 7\n8:16 Write 9\n")
        .file(group + "/blkio.throttle.io_service_bytes", "8:16 Read 28672\nTotal 1\n");
    ReadCounter own = ReadCounter.of(here, kernel);
    assertThat(own.now().since(new DiskReads(2, 8192))).isEqualTo(new DiskReads(5, 20480));
    assertThat(own.now().meanBytes()).isEqualTo(4096);
    assertThat(own.source()).contains("measured process");

    kernel
        .file("/proc/self/mountinfo", mounts.replace("cgroup cgroup rw,blkio", "ext4 a rw"))
        .file("/proc/self/cgroup", "0::/siltstone-bench-block-io-2\n")
        .file("/sys/fs/cgroup/unified/siltstone-bench-block-io-2/cgroup.controllers", "io\n")
        .file(
            "/sys/fs/cgroup/unified/siltstone-bench-block-io-2/io.stat",
            "254:0 rbytes=1 wbytes=2 rios=3 wios=4\n8:16 rbytes=100 wbytes=2 rios=4 wios=4\n");
    assertThat(ReadCounter.of(here, kernel).now()).isEqualTo(new DiskReads(4, 100));
  }
}
