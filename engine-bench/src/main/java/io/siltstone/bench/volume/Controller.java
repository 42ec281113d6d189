package io.siltstone.bench.volume;

import java.util.ArrayList;
import java.util.List;

/** A controller of control groups, with the names of its files. */
enum Controller {
  /** Limits reads of disks. */
  BLOCK_IO("blkio", "io") {
    @Override
    List<Setting> settings(VolumeLimits limits, String device, int version) {
      List<Setting> settings = new ArrayList<>();
      if (version == 1) {
        if (limits.readsPerSecond() > 0) {
          settings.add(
              new Setting(
                  "blkio.throttle.read_iops_device", device + " " + limits.readsPerSecond()));
        }
        if (limits.bytesPerSecond() > 0) {
          settings.add(
              new Setting(
                  "blkio.throttle.read_bps_device", device + " " + limits.bytesPerSecond()));
        }
      } else if (limits.limitsReads()) {
        settings.add(
            new Setting(
                "io.max",
                device
                    + (limits.readsPerSecond() > 0 ? " riops=" + limits.readsPerSecond() : "")
                    + (limits.bytesPerSecond() > 0 ? " rbps=" + limits.bytesPerSecond() : "")));
      }
      return settings;
    }
  },
  /** Limits memory, including the page cache of what the processes read. */
  MEMORY("memory", "memory") {
    @Override
    List<Setting> settings(VolumeLimits limits, String device, int version) {
      return List.of(
          new Setting(
              version == 1 ? "memory.limit_in_bytes" : "memory.max",
              Long.toString(limits.memoryBytes())));
    }
  };

  /** A file of a group and its new content. */
  record Setting(String file, String value) {}

  private final String nameInV1;
  private final String nameInV2;

  Controller(String nameInV1, String nameInV2) {
    this.nameInV1 = nameInV1;
    this.nameInV2 = nameInV2;
  }

  String name(int version) {
    return version == 1 ? nameInV1 : nameInV2;
  }

  /** Returns the settings that give a group the limits. */
  abstract List<Setting> settings(VolumeLimits limits, String device, int version);
}
