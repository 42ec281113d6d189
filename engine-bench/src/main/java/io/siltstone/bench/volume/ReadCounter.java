package io.siltstone.bench.volume;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Counts reads of the disk: those of this process's own control group where {@link LimitedVolume}
 * has put it into one, else those of the whole disk. Safe for all threads.
 */
public final class ReadCounter {
  private static final DiskReads NOTHING = new DiskReads(0, 0);

  private final Kernel kernel;
  private final Optional<BlockDevice> device;
  private final Optional<ControlGroup> group;

  private ReadCounter(Kernel kernel, Optional<BlockDevice> device, Optional<ControlGroup> group) {
    this.kernel = kernel;
    this.device = device;
    this.group = group;
  }

  /** Of the disk of a directory that is there. */
  public static ReadCounter of(Path directory, Kernel kernel) throws IOException {
    Optional<BlockDevice> device = BlockDevice.of(directory.toRealPath().toString(), kernel);
    Optional<ControlGroup> group =
        device.isEmpty()
            ? Optional.empty()
            : ControlGroup.own(Controller.BLOCK_IO, kernel)
                .filter(own -> own.name().startsWith(ControlGroup.PREFIX));
    return new ReadCounter(kernel, device, group);
  }

  /** Whether there is anything to count: if not, all counts are 0. */
  public boolean counts() {
    return device.isPresent();
  }

  /** Whose reads they are, for the report. */
  public String source() {
    if (device.isEmpty()) {
      return "reads of the disk are not counted: its file system is on none that the kernel names";
    }
    return group.isPresent()
        ? "reads of the disk are those of the measured process, as its control group counts them"
        : "reads of the disk are those of the whole machine, from /sys/block/"
            + device.get().name()
            + "/stat";
  }

  /** Up to now. */
  public DiskReads now() throws IOException {
    if (device.isEmpty()) {
      return NOTHING;
    }
    return group.isPresent() ? group.get().reads(device.get()) : device.get().reads(kernel);
  }
}
