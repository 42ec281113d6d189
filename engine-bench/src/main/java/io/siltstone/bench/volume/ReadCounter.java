package io.siltstone.bench.volume;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Counts reads of the disk: those of this process's control group if {@link LimitedVolume} has put
 * it into one, else those of the whole disk. Safe for use by all threads.
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

  /** Returns a counter for the disk of an existing directory. */
  public static ReadCounter of(Path directory, Kernel kernel) throws IOException {
    Optional<BlockDevice> device = BlockDevice.of(directory.toRealPath().toString(), kernel);
    Optional<ControlGroup> group =
        device.isEmpty()
            ? Optional.empty()
            : ControlGroup.own(Controller.BLOCK_IO, kernel)
                .filter(own -> own.name().startsWith(ControlGroup.PREFIX));
    return new ReadCounter(kernel, device, group);
  }

  /** Returns whether reads can be counted; if not, all counts are 0. */
  public boolean counts() {
    return device.isPresent();
  }

  /** Returns whose reads are counted, for the report. */
  public String source() {
    if (device.isEmpty()) {
      return "reads of the disk are not counted: its file system is not on a disk that the"
          + " kernel names";
    }
    return group.isPresent()
        ? "reads of the disk are those of the measured process, counted by its control" + " group"
        : "reads of the disk are those of the whole machine, from /sys/block/"
            + device.get().name()
            + "/stat";
  }

  /** Returns the reads so far. */
  public DiskReads now() throws IOException {
    if (device.isEmpty()) {
      return NOTHING;
    }
    return group.isPresent() ? group.get().reads(device.get()) : device.get().reads(kernel);
  }
}
